"""Check of claims: a document states a figure that the rules do not have."""

from collections.abc import Iterator

from oddsmith.balance.linting.findings import Finding, Severity, check
from oddsmith.exhibit import ClaimedFigure


@check("claim-wrong", Severity.ERROR, ClaimedFigure, "A document states a wrong number")
def _wrong(claimed: ClaimedFigure) -> Iterator[Finding]:
    """Compare a claim with the exact figure, to the digits that the document prints."""
    if claimed.is_met:
        return
    tunable = ": oddsmith tune" if claimed.reading.name is None else ""
    place = f" ({claimed.quoted})" if claimed.quoted else ""
    yield Finding(
        check="claim-wrong",
        severity=Severity.ERROR,
        where=claimed.where,
        sentence=f"{claimed.about} is said to be {claimed.said}{place}; it is {claimed.true}, {claimed.reading.basis}",
        evidence={
            "figure": claimed.figure,
            "said": claimed.said,
            "true": claimed.reading.name or claimed.reading.value,
            "error": claimed.reading.error,
            "basis": claimed.reading.basis,
        },
        suggestion=f"write {claimed.true}, or change the rules until {claimed.said} is true{tunable}",
    )
