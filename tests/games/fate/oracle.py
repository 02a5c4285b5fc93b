"""Brute force over every order of a small deck, independent of the game's own counting."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import chain, combinations, permutations, product
from math import prod

from oddsmith.games.fate.effects import Ability
from oddsmith.games.fate.memory import Memory

Cards = tuple[str, ...]
World = tuple[Cards, Cards]


def worlds(memory: Memory) -> Counter[World]:
    """Return every deck and discard pile that agrees with a memory, with its weight."""
    orders = [
        [(order.cards, order.ways) for order in one.orders]
        or [(cards, 1) for cards in set(permutations((*one.cards, *(None,) * one.unknown)))]
        for one in memory.sets
    ]
    places = (*memory.deck, *memory.discard)
    found: Counter[World] = Counter()
    for chosen in product(*orders):
        left = [list(reversed(cards)) for cards, _ in chosen]
        known = [left[place - 1].pop() if isinstance(place, int) else place for place in places]
        ways = prod(times for _, times in chosen)
        named = Counter(card for card in (*known, *memory.unseen) if card is not None)
        extras = sorted((named - lying_cards(memory)).elements())
        for unseen in permutations(memory.unseen):
            if [*unseen[: len(extras)]] == extras:
                fill = iter(unseen[len(extras) :])
                cards = tuple(next(fill) if card is None else card for card in known)
                found[cards[: len(memory.deck)], cards[len(memory.deck) :]] += ways
    return found


def lying_cards(memory: Memory) -> Counter[str]:
    """Return all cards of deck and discard pile."""
    placed = [place for place in (*memory.deck, *memory.discard) if isinstance(place, str)]
    return Counter((*placed, *memory.unseen, *chain.from_iterable(one.cards for one in memory.sets)))


def draws_of(world: World, count: int) -> Iterator[Cards]:
    """Yield the next cards of a deck. After the reshuffle every order is equally likely."""
    deck, discard = world
    first, rest = deck[: min(count, len(deck) - 1)], deck[min(count, len(deck) - 1) :]
    for more in permutations((*rest, *discard), count - len(first)):
        yield (*first, *more)


def chances_of(memory: Memory, count: int) -> dict[Cards, Fraction]:
    """Return the probability of each draw."""
    found = Counter(chain.from_iterable(draws_of(world, count) for world in worlds(memory).elements()))
    return {cards: Fraction(ways, found.total()) for cards, ways in found.items()}


def share(draws: Sequence[Cards], good: Callable[[Cards], bool]) -> Fraction:
    return Fraction(sum(map(good, draws)), len(draws))


def values_of(
    memory: Memory,
    drawn: int,
    most_peeked: int,
    well: Callable[[Sequence[str]], bool],
    *,
    shown: int | None = None,
) -> dict[tuple[tuple[Ability, ...], int], Fraction]:
    """Return the probability of a good draw with each ability, by trying every use of it in every world.

    Of the cards drawn, `shown` are those of the check; by default all.
    """
    every = [*worlds(memory).elements()]
    size, lying = len(memory.deck), len(memory.deck) + len(memory.discard)

    def drawing(count: int) -> list[Cards]:
        return [cards for world in every for cards in draws_of(world, count)]

    def best_use(seen: int, orders: Sequence[Sequence[int]]) -> Fraction:
        """Return the probability of a good draw when the best of some orders is chosen for whatever is on top."""
        best = Fraction(0)
        for top in {deck[:seen] for deck, _ in every}:
            alike = [(deck, discard) for deck, discard in every if deck[:seen] == top]
            best += max(
                sum(
                    share(list(draws_of((tuple(deck[place] for place in order), discard), drawn)), well)
                    for deck, discard in alike
                )
                for order in orders
            )
        return best / len(every)

    found: dict[tuple[tuple[Ability, ...], int], Fraction] = {}
    for peeked in range(max(1, min(drawn if shown is None else shown, size - 1)), min(most_peeked, size) + 1):
        orders = [(*top, *range(peeked, size)) for top in permutations(range(peeked))]
        found[(Ability.PEEK, Ability.REORDER), peeked] = best_use(peeked, orders)
    found[(Ability.PEEK, Ability.TO_BOTTOM), 1] = best_use(1, [range(size), (*range(1, size), 0)])
    if drawn + 1 < lying:
        found[(Ability.EXTRA,), 1] = share(
            drawing(drawn + 1), lambda cards: any(map(well, combinations(cards, drawn)))
        )
    if 2 * drawn < lying:
        found[(Ability.REDRAW,), drawn] = share(
            drawing(2 * drawn), lambda cards: well(cards[:drawn]) or well(cards[drawn:])
        )
    cards = tuple(chain(*every[0]))
    found[(Ability.RESHUFFLE,), lying] = share(list(permutations(cards, drawn)), well)
    return found


def checks_until_shuffled(size: int, share_on_turn: Fraction, on_turn: int, off_turn: int) -> Fraction:
    """Return the expected number of checks to the reshuffle, over every sequence of checks on and off turn."""
    expected = Fraction(0)
    for row in product((True, False), repeat=size - 1):
        chance, left, checks = Fraction(1), size, 0
        for on in row:
            chance *= share_on_turn if on else 1 - share_on_turn
            checks += left > 1
            for _ in range(on_turn if on else off_turn):
                left -= left > 1
        expected += chance * checks
    return expected


def values_with_talents(
    memory: Memory, drawn: int, most_peeked: int, further: int, well: Callable[[Cards, Cards], bool]
) -> dict[tuple[tuple[Ability, ...], int], Fraction]:
    """Return what `values_of` does where talents draw up to `further` cards, which follow the hand in `well`."""
    every = [*worlds(memory).elements()]
    lying = sum(map(len, every[0]))

    def goes_well(cards: Sequence[str]) -> bool:
        return well(tuple(cards[:drawn]), tuple(cards[drawn:]))

    def drawing(count: int) -> list[Cards]:
        return [cards for world in every for cards in draws_of(world, count)]

    found = {
        use: chance
        for use, chance in values_of(memory, drawn + further, most_peeked, goes_well, shown=drawn).items()
        if Ability.PEEK in use[0]
    }
    if drawn + 1 + further < lying:
        found[(Ability.EXTRA,), 1] = best_change(
            drawing(drawn + 1 + further), drawn, 1, lambda cards: combinations(cards, drawn), well
        )
    if 2 * drawn + further < lying:
        found[(Ability.REDRAW,), drawn] = best_change(
            drawing(2 * drawn + further), drawn, drawn, lambda cards: iter([cards[drawn:]]), well
        )
    cards = tuple(chain(*every[0]))
    found[(Ability.RESHUFFLE,), lying] = share(list(permutations(cards, drawn + further)), goes_well)
    return found


def best_change(
    sequences: Sequence[Cards],
    drawn: int,
    more: int,
    choices: Callable[[Cards], Iterator[Cards]],
    well: Callable[[Cards, Cards], bool],
) -> Fraction:
    """Return the probability of a good check by a player who sees its cards, may draw more, and then chooses a hand.

    Each sequence has the cards of the check, the cards of the change, and those that talents may draw.
    """
    total = 0
    for first in sorted({cards[:drawn] for cards in sequences}):
        alike = [cards for cards in sequences if cards[:drawn] == first]
        taken = sum(well(first, cards[drawn:]) for cards in alike)
        changed = 0
        for seen in {cards[: drawn + more] for cards in alike}:
            rest = [cards[drawn + more :] for cards in alike if cards[: drawn + more] == seen]
            changed += max(sum(well(hand, cards) for cards in rest) for hand in choices(seen))
        total += max(taken, changed)
    return Fraction(total, len(sequences))
