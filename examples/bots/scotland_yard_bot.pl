#!/usr/bin/perl
# A bot for Scotland Yard with a plan, in Perl without packages. The detectives work out where Mr X can be and go there;
# Mr X goes to where the nearest detective is far away.
#
# manhunt watch scotland_yard --agent-detectives "cmd:perl scotland_yard_bot.pl"
# manhunt bot check "perl scotland_yard_bot.pl" --game scotland_yard
use strict;
use warnings;
use JSON::PP;
use List::Util qw(min sum0);

if (grep { $_ eq '-h' || $_ eq '--help' } @ARGV) {
    print "A bot for Scotland Yard, over stdin and stdout: perl scotland_yard_bot.pl\n";
    exit 0;
}
$| = 1;    # flush after every line, or the manager waits in vain

my $json = JSON::PP->new->canonical;
my ($game, $view, $starts);
my %ways;    # by label: where one can go, as [label, transport]

sub say_message { print $json->encode({@_}), "\n" }

# How many steps it takes from a station to every other.
sub distances_from {
    my ($start) = @_;
    my %steps = ($start => 0);
    my @queue = ($start);
    while (defined(my $here = shift @queue)) {
        for my $way (@{ $ways{$here} }) {
            next if exists $steps{ $way->[0] };
            $steps{ $way->[0] } = $steps{$here} + 1;
            push @queue, $way->[0];
        }
    }
    return \%steps;
}

# The stations on which Mr X can be: from where he was seen last, along the tickets of the travel log.
sub candidates {
    my $seen = $view->{sighting};
    my @places = $seen ? $seen->{at} : @{ $starts // $game->{board}{nodes} };
    my $round  = $seen ? $seen->{round} : 0;
    for my $slot (@{ $view->{log} }[ $round .. $#{ $view->{log} } ]) {
        my %next;
        for my $way (map { @{ $ways{$_} } } @places) {
            $next{ $way->[0] } = 1 if $slot->{ticket} eq 'secret' || $slot->{ticket} eq $way->[1];
        }
        @places = sort keys %next;
    }
    my %taken = map { $_->{at} => 1 } @{ $view->{detectives} };
    return grep { !$taken{$_} } @places;
}

sub best_of {
    my ($value_of, @moves) = @_;
    my ($best, $most);
    for my $move (@moves) {
        my $value = $value_of->($move);
        ($best, $most) = ($move, $value) if !defined $most || $value > $most;
    }
    return $best;
}

sub choose {
    my ($legal) = @_;
    if ($game->{seat} eq 'evader') {
        my @from = map { distances_from($_->{at}) } @{ $view->{detectives} };
        return best_of(
            sub {
                my ($move) = @_;
                my ($end) = $move =~ /[TBUS](\w+)$/;    # T104, or 2:T104,S86
                my $costs = ($move =~ /^2:/ ? 1.5 : 0) + ($move =~ /S/ ? 0.3 : 0);
                return min(map { $_->{$end} // 99 } @from) - $costs;
            },
            @$legal
        );
    }
    my @where = candidates();
    return best_of(
        sub {
            my ($end) = $_[0] =~ /:[TBU](\w+)$/;        # R:T93
            my $steps = distances_from($end);
            return -sum0(map { $steps->{$_} // 99 } @where);
        },
        @$legal
    );
}

while (my $line = <STDIN>) {
    my $message = $json->decode($line);
    my $kind    = $message->{t};
    if ($kind eq 'hello') {
        say_message(t => 'hello', protocol => 1, name => 'perl hunter', version => '1.0', games => ['scotland_yard']);
    }
    elsif ($kind eq 'new') {    # perhaps another game, on the other seat: forget everything
        ($game, $view, $starts, %ways) = ($message, undef, undef);
        for my $edge (@{ $message->{board}{edges} }) {
            my ($one, $other, $transport) = @$edge;
            push @{ $ways{$one} },   [ $other, $transport ];
            push @{ $ways{$other} }, [ $one,   $transport ];
        }
    }
    elsif ($kind eq 'observe') {
        $view = $message->{view};
        for my $event (@{ $message->{events} }) {
            $starts = $event->{starts} if ($event->{t} // '') eq 'mrx';    # a hidden event has no kind
        }
    }
    elsif ($kind eq 'go') {
        say_message(t => 'move', n => $message->{n}, action => choose($message->{legal}));
    }
    elsif ($kind eq 'error') { print STDERR "the manager says: $message->{what}\n" }
    elsif ($kind eq 'bye')   { last }
}
