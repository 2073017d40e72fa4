import { isRedVerdict } from './catalogue.ts';
import type { MatrixRows, ProofMatrixRow } from './matrix.ts';

const redRules = ({ turned }: ProofMatrixRow): readonly string[] =>
  Object.keys(turned).filter((id) => isRedVerdict(turned[id]));

/** Rows, rules and aspects that a fault turns, each with the number of other faults that make it superfluous. */
function shownEffects(row: ProofMatrixRow): readonly { readonly effect: string; readonly enough: number }[] {
  const pairs = Object.entries(row.shown).flatMap(([rule, ids]) => ids.map((id) => `${id} shows ${rule}`));
  const rules = new Set([...redRules(row), ...Object.keys(row.shown)]);
  const onlyWarns = !Object.values(row.turned).includes('fail');
  const alone = onlyWarns ? [...rules].map((rule) => `${rule} beside nothing required`) : [];
  return [
    ...[...pairs, ...alone].map((effect) => ({ effect, enough: 1 })),
    ...[...rules].map((effect) => ({ effect, enough: 2 })),
  ];
}

/** Most rules that a fault breaks which stands for others: a carrier that answers nothing breaks every rule, and proves little of each. */
const maxRulesOfProxy = 6;

/**
 * Faults that add nothing: each row shows the same rules with another fault, two others turn each of its rules and aspects, and if it breaks
 * nothing required, another one does so as well. Faults that break many rules do not count as others.
 */
export function superfluousFaults(rows: MatrixRows): readonly string[] {
  const proxies = new Map([...rows].filter(([, row]) => redRules(row).length <= maxRulesOfProxy));
  const counts = new Map<string, number>();
  const countOf = (effect: string): number => counts.get(effect) ?? 0;
  for (const row of proxies.values()) {
    for (const { effect } of shownEffects(row)) counts.set(effect, countOf(effect) + 1);
  }
  return [...rows].flatMap(([name, row]) => {
    const own = proxies.has(name) ? 1 : 0;
    return shownEffects(row).every(({ effect, enough }) => countOf(effect) - own >= enough) ? [name] : [];
  });
}
