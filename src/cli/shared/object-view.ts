import type { NamedDifference } from '../../model/exchange.ts';
import { isJsonObject, type Json } from '../../model/json.ts';
import { type Page, renderParagraph, wrapText } from '../../report/layout.ts';
import { forTerminal } from '../../report/sanitize.ts';
import { timeInWords } from './times.ts';

/** A JSON object as rows, a member each. */
export interface ObjectView {
  /** `header`, `claims`, `body`: what differences name it by. */
  readonly part: string;
  readonly value: Json;
  readonly differences: readonly NamedDifference[];
  readonly since: { readonly at: number; readonly is: string };
}

/** Members that are shown; a hostile object may have a million. */
const shownMembers = 100;
/** UTF-16 units of one value. */
const valueLimit = 600;

const markOf = (change: NamedDifference['change'] | undefined): string =>
  change === undefined ? ' ' : change === 'removed' ? '-' : '~';

function renderMember(page: Page, [name, value]: readonly [string, Json], view: ObjectView): readonly string[] {
  const change = view.differences.find(({ what }) => what === `${view.part}.${name}`)?.change;
  const words = timeInWords(name, value, view.since);
  const text = `${forTerminal(name, 80)}: ${forTerminal(JSON.stringify(value), valueLimit)}`;
  const lines = wrapText(words === undefined ? text : `${text}  (${words})`, page.width - 6);
  const tone = change === undefined ? (line: string): string => line : page.paint.yellow;
  return lines.map((line, index) => tone(`${index === 0 ? `  ${markOf(change)} ` : '      '}${line}`));
}

/** Header or claims: what differs from the base request object is marked with ~, what was taken out with -. */
export function renderObject(page: Page, view: ObjectView): readonly string[] {
  const { part, value, differences } = view;
  if (!isJsonObject(value)) return renderParagraph(page, forTerminal(JSON.stringify(value), valueLimit), { indent: 4 });
  const members = Object.entries(value);
  const removed = differences.flatMap(({ what, change }) =>
    change === 'removed' && what.startsWith(`${part}.`) ? [what.slice(part.length + 1)] : [],
  );
  return [
    page.paint.bold(part),
    ...members.slice(0, shownMembers).flatMap((member) => renderMember(page, member, view)),
    ...(members.length > shownMembers ? [`    and ${members.length - shownMembers} more`] : []),
    ...removed.map((name) => page.paint.yellow(`  - ${forTerminal(name, 80)}`)),
  ];
}
