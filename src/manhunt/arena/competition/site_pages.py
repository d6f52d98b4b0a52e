"""The pages of a tournament's site apart from the games: the index with its tables, and the list of games."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from html import escape

from manhunt.arena.competition.model import SWISS
from manhunt.arena.competition.pairing import BYE
from manhunt.arena.competition.run import Progress
from manhunt.arena.competition.scores import WIN
from manhunt.arena.competition.standings import BotFault, MatrixCell, Standing, Table
from manhunt.arena.competition.words import games_text, role_text, share_text
from manhunt.arena.page import page_style
from manhunt.arena.plots import Row, dot_plot, elo_axis
from manhunt.arena.words import percent, seconds_text
from manhunt.draw.page_style import NOT_AFFILIATED, base_style, head
from manhunt.games.registry import make_game
from manhunt.ids import PLAYERS

MOST_EXAMPLES = 3
"""Faults of one bot and kind that are shown in full."""
_STYLE = """
main{max-width:1180px}
table a{text-decoration:none}table a:hover{text-decoration:underline}
td.rank{color:var(--quiet)}
td.text a{white-space:nowrap}
.up{writing-mode:vertical-rl;transform:rotate(180deg);max-height:150px;overflow:hidden;white-space:nowrap}
.matrix.many td{padding:4px 2px;min-width:38px;border-width:2px}.matrix.many b{font-size:13px}
.matrix td.none{background:none;color:var(--quiet)}
.matrix .forfeit{font-size:11px}
pre{white-space:pre-wrap;overflow-wrap:anywhere;background:var(--paper);padding:8px;border-radius:6px;font-size:12px;
 margin:4px 0 10px;max-height:240px;overflow:auto}
.filter{display:flex;flex-wrap:wrap;gap:12px;margin:12px 0;align-items:center}
.filter label{display:flex;gap:6px;align-items:center}
input,select{font:inherit;color:var(--ink);background:var(--surface);border:1px solid var(--line);border-radius:6px;
 padding:6px 8px;min-height:36px}
nav{margin:6px 0 0;display:flex;gap:16px;flex-wrap:wrap}
"""


def index_page(progress: Progress, table: Table, by_game: Sequence[Table], pages: Mapping[int, str]) -> str:
    competition = table.competition
    rounds = f" in {len(progress.rounds)} of {competition.rounds} rounds" if competition.format == SWISS else ""
    state = "" if progress.is_finished else " · not finished"
    setting = f"{competition.format}{rounds} · {games_text(progress)}{state} · seed {competition.seed}"
    sections = [
        _table_section(table),
        _ratings_section(table),
        _games_section(table, by_game),
        _matrix_section(table),
        _rounds_section(progress) if competition.format == SWISS else "",
        _faults_section(table, pages),
        _rules_section(table),
    ]
    body = (
        f"<h1>{escape(competition.name)}</h1>"
        f'<p class="quiet">{escape(setting)} · run {competition.run_id}</p>'
        '<nav aria-label="Pages"><a href="games.html">All games</a><a href="#faults">Faults</a>'
        '<a href="results.json">The table as JSON</a></nav>' + "\n".join(sections)
    )
    return _page(competition.name, body)


def games_page(progress: Progress, pages: Mapping[int, str]) -> str:
    competition = progress.competition
    rows = []
    for number in sorted(progress.results):
        result = progress.results[number]
        entry = competition.entries[result.entry]
        link = f'<a href="{pages[number]}">{number}</a>' if number in pages else str(number)
        faults = ", ".join(dict.fromkeys(f"{f['seat']}: {f['why']}" for f in result.faults))
        cells = (entry.name, result.evader, result.pursuers, result.outcome or "could not be played")
        texts = "".join(f'<td class="text">{escape(text)}</td>' for text in cells)
        round_ = f"<td>{result.round + 1}</td>" if competition.format == SWISS else ""
        end = f'<td>{result.deal + 1}</td><td>{result.plies}</td><td class="text fault">{escape(faults)}</td>'
        rows.append(f"<tr><td>{link}</td>{round_}{texts}{end}</tr>")
    texts = "".join(f'<th class="text">{name}</th>' for name in ("game", "evader", "pursuers", "outcome"))
    round_ = "<th>round</th>" if competition.format == SWISS else ""
    head_row = f"<tr><th>number</th>{round_}{texts}<th>deal</th><th>plies</th><th class='text'>faults</th></tr>"
    bots = "".join(f"<option>{escape(bot.name)}</option>" for bot in competition.bots)
    tools = (
        '<div class="filter"><label>Bot <select id="bot"><option value="">all</option>' + bots + "</select></label>"
        '<label>Any word <input id="word" type="search"></label><output id="count" class="quiet"></output></div>'
    )
    body = (
        f'<p class="quiet"><a href="index.html">{escape(competition.name)}</a></p><h1>Games</h1>{tools}'
        f'<section><div class="wide"><table><thead>{head_row}</thead><tbody>{"".join(rows)}</tbody></table></div>'
        "</section>"
        f"<script>{_FILTER}</script>"
    )
    return _page(f"{competition.name}: games", body)


_FILTER = """
const rows = [...document.querySelectorAll("tbody tr")], bot = document.getElementById("bot"),
  word = document.getElementById("word"), count = document.getElementById("count");
const text = rows.map(row => row.textContent.toLowerCase());
const names = rows.map(row => [...row.cells].map(cell => cell.textContent));
function show() {
  let shown = 0;
  rows.forEach((row, i) => {
    row.hidden = !((!bot.value || names[i].includes(bot.value)) && text[i].includes(word.value.toLowerCase()));
    shown += !row.hidden;
  });
  count.textContent = `${shown} of ${rows.length} games`;
}
bot.onchange = word.oninput = show;
if (location.hash) bot.value = decodeURIComponent(location.hash.slice(1));
show();
"""


def _page(title: str, body: str) -> str:
    style = base_style() + page_style() + _STYLE
    footer = f"<footer><p>{escape(NOT_AFFILIATED)}</p></footer>"
    return f"{head(escape(title), style)}<body><main>{body}{footer}</main></body></html>\n"


def _section(title: str, text: str, body: str, name: str = "") -> str:
    mark = f' id="{name}"' if name else ""
    told = f'<p class="quiet">{escape(text)}</p>' if text else ""
    return f'<section{mark}><h2>{escape(title)}</h2>{told}<div class="wide">{body}</div></section>'


def _table_section(table: Table) -> str:
    head_row = (
        "<tr><th></th><th class='text'>bot</th><th>points</th><th>games</th><th>share</th><th>95 %</th>"
        "<th>Elo as evader</th><th>95 %</th><th>Elo as pursuers</th><th>95 %</th><th>forfeits</th>"
        "<th>a decision</th></tr>"
    )
    rows = "".join(_standing_row(standing) for standing in table.standings)
    text = (
        "A won game is a point, a drawn one half. Ratings are apart for the two roles; "
        "a bot that won or lost everything has a bound on one side only."
    )
    return _section("Table", text, f"<table>{head_row}{rows}</table>", "table")


def _standing_row(standing: Standing) -> str:
    interval = standing.interval
    between = f"{100 * interval.low:.0f} to {100 * interval.high:.0f}" if interval else ""
    cells = [f"{standing.points / 2:g}", f"{standing.n_games:,}", share_text(standing), between]
    for seat in PLAYERS:
        cells += role_text(standing.roles[seat])
    forfeits = str(standing.forfeits) if standing.forfeits else ""
    if forfeits:
        forfeits = f'<a class="fault" href="#{_anchor(standing.name)}">{forfeits}</a>'
    mean = seconds_text(standing.thinking.mean_seconds)
    name = f'<a href="games.html#{escape(standing.name)}">{escape(standing.name)}</a>'
    figures = "".join(f"<td>{escape(cell)}</td>" for cell in cells)
    return (
        f'<tr><td class="rank">{standing.rank}</td><td class="text">{name}</td>{figures}'
        f"<td>{forfeits}</td><td>{escape(mean)}</td></tr>"
    )


def _anchor(name: str) -> str:
    return "bot-" + "".join(sign if sign.isalnum() else f"-{ord(sign):x}-" for sign in name)


def _ratings_section(table: Table) -> str:
    parts = []
    for seat in PLAYERS:
        rated = []
        for standing in table.standings:
            role = standing.roles[seat]
            if role.elo is not None:
                rated.append(Row(standing.name, role.elo, role_text(role)[0]))
        rated.sort(key=lambda row: -row.interval.value)
        if rated:
            plot = dot_plot(f"Ratings as {seat.value}", rated, elo_axis(rated), seat.value)
            parts.append(f"<h3>As {seat.value}</h3>{plot}")
    balance = "; ".join(
        f"{name} {elo.value:+.0f} ({elo.low:+.0f} to {elo.high:+.0f})" for name, elo in table.balance.items()
    )
    text = f"Elo with 95 % intervals (Bradley-Terry, maximum likelihood). The evader's advantage: {balance}."
    return _section("Ratings", text, "".join(parts)) if parts else ""


def _games_section(table: Table, by_game: Sequence[Table]) -> str:
    if len(by_game) < 2:
        return ""
    names = [entry.name for entry in table.competition.entries]
    head_row = "<tr><th class='text'>bot</th>" + "".join(f"<th>{escape(name)}</th>" for name in names) + "</tr>"
    rows = []
    for standing in table.standings:
        cells = [one.of(standing.name) for one in by_game]
        figures = "".join(f"<td>{share_text(s)} <span class='quiet'>{_points(s)}</span></td>" for s in cells)
        rows.append(f'<tr><td class="text">{escape(standing.name)}</td>{figures}</tr>')
    return _section("Game by game", "Share of the points in each game of the programme.", _plain(head_row, rows))


def _points(standing: Standing) -> str:
    return f"{standing.points / 2:g} of {standing.n_games}" if standing.n_games else ""


def _plain(head_row: str, rows: Iterable[str]) -> str:
    return f"<table>{head_row}{''.join(rows)}</table>"


def _matrix_section(table: Table) -> str:
    order = [standing.name for standing in table.standings]
    many = " many" if len(order) > 6 else ""
    columns = "".join(f'<th><span class="up">{escape(name)}</span></th>' for name in order)
    rows = [f"<tr><th>evader ↓ pursuers →</th>{columns}</tr>"]
    for evader in order:
        cells = "".join(_matrix_cell(evader, pursuers, table.matrix.get((evader, pursuers))) for pursuers in order)
        rows.append(f"<tr><th>{escape(evader)}</th>{cells}</tr>")
    text = "The evader's share of the points in %, all games of the programme; hover for the number of games."
    return _section("Who beats whom", text, f'<table class="matrix{many}">{"".join(rows)}</table>')


def _matrix_cell(evader: str, pursuers: str, cell: MatrixCell | None) -> str:
    if cell is None:
        return '<td class="none">·</td>'
    share = cell.points / (WIN * cell.n_games)
    forfeits = f", {cell.n_forfeits} by forfeit" if cell.n_forfeits else ""
    title = f"{evader} as evader against {pursuers}: {percent(share)} of {cell.n_games} games{forfeits}"
    return f'<td style="--rate:{share:.3f}" title="{escape(title)}"><b>{100 * share:.0f}</b></td>'


def _rounds_section(progress: Progress) -> str:
    rows = []
    for number, pairs in enumerate(progress.rounds, 1):
        told = ", ".join(f"{a} – {b}" if b != BYE else f"{a} (off)" for a, b in pairs)
        rows.append(f'<tr><td>{number}</td><td class="text">{escape(told)}</td></tr>')
    return _section("Rounds", "Who met whom.", _plain("<tr><th>round</th><th class='text'>pairs</th></tr>", rows))


def _faults_section(table: Table, pages: Mapping[int, str]) -> str:
    if not table.faults:
        return _section("Faults", "None: every turn of every bot ended with a legal move in time.", "", "faults")
    by_bot: dict[str, dict[str, list[BotFault]]] = {}
    for fault in table.faults:
        by_bot.setdefault(fault.bot, {}).setdefault(fault.kind, []).append(fault)
    parts = []
    for standing in table.standings:
        if standing.name in by_bot:
            parts.append(_bot_faults(standing.name, by_bot[standing.name], pages))
    text = f"{len(table.faults):,} turns did not end with a legal move in time. Below each stands what the bot wrote."
    return _section("Faults", text, "".join(parts), "faults")


def _bot_faults(name: str, by_kind: Mapping[str, Sequence[BotFault]], pages: Mapping[int, str]) -> str:
    counts = ", ".join(f"{kind} {len(found)}" for kind, found in sorted(by_kind.items()))
    parts = [f'<h3 id="{_anchor(name)}">{escape(name)} <span class="quiet">{escape(counts)}</span></h3>']
    for kind, found in sorted(by_kind.items()):
        for fault in found[:MOST_EXAMPLES]:
            link = f'<a href="{pages[fault.number]}">game {fault.number}</a>' if fault.number in pages else ""
            ply = "" if fault.ply is None else f", ply {fault.ply}"
            where = f"{link} ({escape(fault.entry)} as {fault.seat.value}{ply}, then {escape(fault.policy)})"
            stderr = f"<pre>{escape(fault.stderr)}</pre>" if fault.stderr else ""
            told = f'<b class="fault">{escape(kind)}</b> {where}: {escape(fault.detail)}'
            parts.append(f"<p>{told}</p>{stderr}")
        if len(found) > MOST_EXAMPLES:
            parts.append(f'<p class="quiet">... and {len(found) - MOST_EXAMPLES:,} more of this kind</p>')
    return "".join(parts)


def _rules_section(table: Table) -> str:
    competition = table.competition
    clock, limit = competition.clock, competition.limit
    games = "".join(
        f"<li>{escape(entry.name)}: {escape(make_game(entry.game).title)}, {_deals(entry.deals)}, "
        "each played twice with the sides swapped</li>"
        for entry in competition.entries
    )
    bots = "".join(f"<li>{escape(bot.name)}: <code>{escape(bot.spec)}</code></li>" for bot in competition.bots)
    bounds = [
        f"bank {clock.bank_seconds:g} s" if clock.bank_seconds else "",
        f"increment {clock.increment_seconds:g} s" if clock.increment_seconds else "",
        f"{clock.cap_seconds:g} s a move at most" if clock.cap_seconds else "",
        f"{limit.iterations} iterations a decision" if limit.iterations else "",
        f"{limit.seconds:g} s a decision" if limit.seconds else "",
    ]
    told = ", ".join(bound for bound in bounds if bound) or "no clock"
    policies = ", ".join(f"{kind}: {policy}" for kind, policy in competition.policies.items()) or "all are forfeits"
    rules = f"<p>Clock: {told}. Faults: {escape(policies)}, unless a rule book says pass.</p>"
    body = f"{rules}<ul>{games}</ul><ul>{bots}</ul>"
    return _section("Setting", "", body)


def _deals(n: int) -> str:
    return "1 deal" if n == 1 else f"{n} deals"
