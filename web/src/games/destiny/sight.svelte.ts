/** What somebody looks at beside a table: the crime whose odds are shown, told by the board to the odds. */
import { oncePerTable } from "../../match/beside";

class Sight {
  crime = $state<string | null>(null);
}

export const sightOf = oncePerTable<"destiny", Sight>(() => new Sight());
