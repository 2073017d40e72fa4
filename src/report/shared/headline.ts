import type { NamedDifference } from '../../model/exchange.ts';
import { type FindingView, renderDifference, requestOf } from './facts.ts';
import { renderFinding } from './prose.ts';
import { cutText } from './sanitize.ts';

/** UTF-16 units of what was special, so that what came is read too. */
const longest = 80;
/** Members that are named beside the words of a row. */
const mostNamed = 2;

/** The words of a row: `bearer-on-success/1024-characters` as `1024 characters`. */
const rowWords = (id: string): string => id.split('/').slice(1).join(', ').replaceAll('-', ' ');

/** What differed by name: of a member that took the place of another, the one that was sent. */
function namesIn(differences: readonly NamedDifference[]): readonly string[] {
  const sent = differences.filter(({ change }) => change !== 'removed');
  const names = new Set((sent.length === 0 ? differences : sent).map(({ what }) => what.replace(/^claims\./, '')));
  return names.size > mostNamed ? [] : [...names];
}

/** What was special in the request that a finding is about; empty where nothing was. */
function specialIn(view: FindingView): string {
  const { seenIn, invariant } = view;
  if (seenIn === undefined || invariant !== undefined || view.finding.seenIn !== undefined) return '';
  const request = requestOf(view);
  const differences = request?.differences ?? [];
  const row = rowWords(seenIn.id);
  const [only, ...others] = differences;
  if (row === '') {
    return request === undefined || only === undefined || others.length > 0 ? '' : renderDifference(only, request.sentAt);
  }
  const names = namesIn(differences).filter((name) => !row.includes(name.replaceAll(/[-_]/g, ' ')));
  return [...names, row].join(', ');
}

/** A finding in one sentence that begins with what was special: `login_hint_token, compressed: expected denied, got accepted 200`. */
export function headlineOf(view: FindingView, summary = renderFinding(view.finding).summary): string {
  const special = specialIn(view);
  return special === '' ? summary : `${cutText(special, longest)}: ${summary}`;
}
