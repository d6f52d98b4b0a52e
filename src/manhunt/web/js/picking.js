// From clicks on nodes to one of the offered moves. It compares labels; what is allowed was said by the server.

// The piece that stands on a node and has offers.
export function pieceAt(offers, label) {
  return offers.find((offer) => offer.piece && offer.picks.length > 1 && offer.picks[0] === label)?.piece ?? null;
}

// The offers that end on a node, of one piece if one was chosen.
export function endingOn(offers, label, piece = null) {
  return offers.filter((offer) => offer.to === label && (!piece || offer.piece === piece));
}

// Where to go next in a tree of joint moves after some picks: {labels, action?}.
export function branchOf(tree, picks) {
  let branch = tree;
  for (const label of picks) branch = branch[label];
  return branch;
}

export function unique(values) {
  return [...new Set(values)];
}
