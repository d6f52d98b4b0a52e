/* A bot that plays all games at random; one file, no library.
 *
 * cc -O2 -o c_bot c_bot.c
 * manhunt watch pursuit --agent-mrx "cmd:./c_bot"
 * manhunt bot check ./c_bot --game pursuit
 */
#define _POSIX_C_SOURCE 200809L
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *blank(const char *s) { while (isspace((unsigned char)*s)) s++; return s; }

/* The end of the string that begins at s. */
static const char *string_end(const char *s) {
    for (s++; *s && *s != '"'; s++) if (*s == '\\' && s[1]) s++;
    return *s ? s + 1 : s;
}

/* The end of the JSON value that begins at s. */
static const char *value_end(const char *s) {
    int depth = 0;
    do {
        if (*s == '"') { s = string_end(s); continue; }
        if (*s == '{' || *s == '[') depth++;
        if (*s == '}' || *s == ']') depth--;
        s++;
    } while (*s && (depth > 0 || (*s != ',' && *s != '}' && *s != ']')));
    return s;
}

/* The value of a key of the object in `line`, or NULL. */
static const char *member(const char *line, const char *key) {
    size_t length = strlen(key);
    const char *s = blank(line);
    if (*s != '{') return NULL;
    for (s = blank(s + 1); *s == '"'; s = blank(s + 1)) {
        const char *name = s + 1, *end = string_end(s), *value = blank(end);
        if (*value != ':') return NULL;
        value = blank(value + 1);
        if ((size_t)(end - name - 1) == length && strncmp(name, key, length) == 0) return value;
        s = blank(value_end(value));
        if (*s != ',') return NULL;
    }
    return NULL;
}

/* The i-th value of the list that begins at s, or NULL. */
static const char *entry(const char *s, long i) {
    if (*s != '[') return NULL;
    for (s = blank(s + 1); *s && *s != ']'; s = blank(s + 1)) {
        if (i-- == 0) return s;
        s = blank(value_end(s));
        if (*s != ',') return NULL;
    }
    return NULL;
}

/* view: what your seat knows, as JSON; legal: the list of n_legal moves; seed: take all chance from it, and manhunt can
 * check that you play fair. Return the chosen entry of the list, or NULL to resign. */
static const char *choose(const char *view, const char *legal, long n_legal, unsigned long seed) {
    /* ---- Your own logic goes here ------------------------------------------------------------------------------- */
    (void)view;
    return n_legal > 0 ? entry(legal, (long)(seed % (unsigned long)n_legal)) : NULL;
    /* ------------------------------------------------------------------------------------------------------------- */
}

static int is(const char *value, const char *word) { return strncmp(value, word, strlen(word)) == 0; }

int main(int argc, char **argv) {
    char *line = NULL, *seen = NULL;
    size_t size = 0;
    if (argc > 1 && (is(argv[1], "-h") || is(argv[1], "--help")))
        return puts("A random bot for all games of manhunt, over stdin and stdout.") == EOF;
    while (getline(&line, &size, stdin) > 0) {
        const char *kind = member(line, "t");
        if (!kind || is(kind, "\"bye\"")) break;
        if (is(kind, "\"hello\"")) puts("{\"t\":\"hello\",\"protocol\":1,\"name\":\"c random\",\"version\":\"1.0\"}");
        if (is(kind, "\"observe\"")) { free(seen); seen = strdup(line); }
        if (is(kind, "\"go\"")) {
            const char *view = seen ? member(seen, "view") : NULL;
            const char *n = member(line, "n"), *count = member(line, "n_legal"), *seed = member(line, "seed");
            if (!n || !count || !seed) break;
            const char *action = choose(view, member(line, "legal"), atol(count), strtoul(seed, NULL, 10));
            if (!action) puts("{\"t\":\"resign\"}");
            else printf("{\"t\":\"move\",\"n\":%ld,\"action\":%.*s}\n", atol(n), (int)(string_end(action) - action), action);
        }
        fflush(stdout); /* or the manager waits in vain */
    }
    free(line);
    free(seen);
    return 0;
}
