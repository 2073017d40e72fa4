import { isJsonObject, type Json } from '../../lib/json.ts';
import type { NamedDifference } from '../../model/exchange.ts';
import { type Page, wrapText } from '../../report/shared/layout.ts';
import { forTerminal } from '../../report/shared/sanitize.ts';

/** Time claims, in whole seconds since the epoch (RFC 7519 §2, OIDC Core §2). */
const instantClaims: ReadonlySet<string> = new Set(['iat', 'exp', 'nbf', 'auth_time']);

/** Duration claims, in seconds. */
const durationClaims: ReadonlySet<string> = new Set(['expires_in']);

/** Renders seconds as `1 h 2 min 3 s`, `300 s`. */
export function renderSeconds(seconds: number): string {
  const whole = Math.abs(Math.round(seconds));
  if (whole <= 600) return `${whole} s`;
  const [days, hours, minutes, rest] = [
    Math.floor(whole / 86_400),
    Math.floor(whole / 3600) % 24,
    Math.floor(whole / 60) % 60,
    whole % 60,
  ];
  const parts = [
    [days, 'd'],
    [hours, 'h'],
    [minutes, 'min'],
    [rest, 's'],
  ] as const;
  return parts.flatMap(([count, unit]) => (count === 0 ? [] : [`${count} ${unit}`])).join(' ');
}

/** Meaning of each SIM tenure (§2.8). */
const tenureMeanings: Readonly<Partial<Record<string, string>>> = {
  true: 'the SIM has been with the number for less than 24 hours',
  false: 'the SIM has been with the number for 24 hours or more',
  error: 'the carrier cannot tell',
};

/** Latest time of a Date, in seconds. */
const maxDateSeconds = 8.64e12;

/** Describes a time claim or SIM tenure. `since`: epoch seconds and a description of that time. */
function describeTime(
  name: string,
  value: unknown,
  since: { readonly at: number; readonly is: string },
): string | undefined {
  if (name === 'sim_tenure' && typeof value === 'string') return tenureMeanings[value];
  if (typeof value !== 'number' || !Number.isFinite(value) || Math.abs(value) > maxDateSeconds) return undefined;
  if (durationClaims.has(name) && value > 600) return renderSeconds(value);
  if (!instantClaims.has(name)) return undefined;
  const moment = new Date(value * 1000).toISOString().replace('.000Z', 'Z');
  const distance = value - since.at;
  if (Math.abs(distance) < 0.5) return `${moment}, when ${since.is}`;
  return `${moment}, ${renderSeconds(distance)} ${distance < 0 ? 'before' : 'after'} ${since.is}`;
}

interface ObjectView {
  /** `header`, `claims` or `body`: prefix of the names in `differences`. */
  readonly part: string;
  readonly value: Json;
  readonly differences: readonly NamedDifference[];
  readonly since: { readonly at: number; readonly is: string };
}

/** Most members shown; a hostile object may have a million. */
const maxShownMembers = 100;
/** Longest value shown, in UTF-16 units. */
const maxShownValue = 600;

const changeMark = (change: NamedDifference['change'] | undefined): string =>
  change === undefined ? ' ' : change === 'removed' ? '-' : '~';

function renderMember(page: Page, [name, value]: readonly [string, Json], view: ObjectView): readonly string[] {
  const change = view.differences.find(({ what }) => what === `${view.part}.${name}`)?.change;
  const words = describeTime(name, value, view.since);
  const text = `${forTerminal(name, 80)}: ${forTerminal(JSON.stringify(value), maxShownValue)}`;
  const lines = wrapText(words === undefined ? text : `${text}  (${words})`, page.width - 6);
  const tone = change === undefined ? (line: string): string => line : page.paint.yellow;
  return lines.map((line, index) => tone(`${index === 0 ? `  ${changeMark(change)} ` : '      '}${line}`));
}

/** Renders header or claims: ~ marks members that differ from the base request object, - removed ones. */
export function renderObject(page: Page, view: ObjectView): readonly string[] {
  const { part, value, differences } = view;
  if (!isJsonObject(value)) return page.paragraph(forTerminal(JSON.stringify(value), maxShownValue), { indent: 4 });
  const members = Object.entries(value);
  const removed = differences.flatMap(({ what, change }) =>
    change === 'removed' && what.startsWith(`${part}.`) ? [what.slice(part.length + 1)] : [],
  );
  return [
    page.paint.bold(part),
    ...members.slice(0, maxShownMembers).flatMap((member) => renderMember(page, member, view)),
    ...(members.length > maxShownMembers ? [`    and ${members.length - maxShownMembers} more`] : []),
    ...removed.map((name) => page.paint.yellow(`  - ${forTerminal(name, 80)}`)),
  ];
}
