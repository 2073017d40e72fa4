import type { NamedDifference } from '../../model/exchange.ts';
import { type FindingView, requestOf } from './facts.ts';
import { renderFinding } from './prose.ts';
import { cutText } from './sanitize.ts';

/** UTF-16 units of what was special, so that what came is read too. */
const longest = 80;
/** Members that are named beside the words of a row. */
const mostNamed = 2;

/** The words of a row: `bearer-on-success/1024-characters` as `1024 characters`. */
const rowWords = (id: string): string => id.split('/').slice(1).join(', ').replaceAll('-', ' ');

/** A member by its name; what was done to it, where nothing was set. The value is in the evidence. */
function nameOf({ what, change, value }: NamedDifference): string {
  const name = what.replace(/^claims\./, '');
  if (change === 'removed') return `${name} removed`;
  if (change === 'altered') return typeof value === 'string' ? `${name}: ${value}` : `${name} altered`;
  return name;
}

/** What differed: of a member that took the place of another, the one that was sent. */
function namesIn(differences: readonly NamedDifference[]): readonly string[] {
  const sent = differences.filter(({ change }) => change !== 'removed');
  const names = new Set((sent.length === 0 ? differences : sent).map(nameOf));
  return names.size > mostNamed ? [] : [...names];
}

/** What was special in the request that a finding is about; empty where nothing was. */
function specialIn(view: FindingView): string {
  const { seenIn, invariant, finding } = view;
  if (seenIn === undefined || invariant !== undefined || finding.seenIn !== undefined) return '';
  const row = rowWords(seenIn.id);
  const names = namesIn(requestOf(view)?.differences ?? []);
  return [...names.filter((name) => !row.includes(name.replaceAll(/[-_]/g, ' '))), row]
    .filter((word) => word !== '')
    .join(', ');
}

/** A finding in one sentence that begins with what was special: `state, 1,024 characters: expected accepted, got denied 400`. */
export function headlineOf(view: FindingView, summary = renderFinding(view.finding).summary): string {
  const special = specialIn(view);
  return special === '' ? summary : `${cutText(special, longest)}: ${summary}`;
}
