"""`manhunt greet`: a command with options of its own."""

from argparse import Namespace

from manhunt.cli.parser import Parser


def build_parser() -> Parser:
    parser = Parser(prog="manhunt greet", epilog="examples:\n  manhunt greet --name Ann")
    parser.add_argument("--name", default="world")
    return parser


def main(options: Namespace) -> int:
    print(f"hello {options.name}")
    return 0
