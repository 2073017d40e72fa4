import { countOf } from '../../lib/lists.ts';
import type { Json } from '../../lib/json.ts';
import { defined } from '../../lib/optional.ts';
import { renderPosition } from '../../model/position.ts';
import { type RuleRef, renderRuleRef } from '../../model/rule.ts';
import type { Verdict } from '../../model/verdict.ts';
import { renderCommand, renderSendFlags } from '../shared/facts.ts';
import { verdictLegend } from '../shared/prose.ts';
import { forTerminal } from '../shared/sanitize.ts';
import { renderSpan } from '../shared/time.ts';
import type { CaseEntry, CaseIndex } from './case-index.ts';
import { isNotable } from './case-view.ts';
import { caseAnchor, ruleAnchor } from './links.ts';
import type { Place } from './pack.ts';
import type { ValidView } from './valid-view.ts';

type Pair = readonly [string, string];

/** A case as the page's script lists it and draws it under its rule. Every text is visible and bounded already. */
export interface CaseRow {
  readonly anchor: string;
  readonly id: string;
  readonly title: string;
  readonly verdict: Verdict;
  /** The rule under which it is shown, and its anchor. */
  readonly home?: Pair;
  /** It stands in the page's markup. */
  readonly isDrawn?: true;
  readonly traffic: string;
  /** Its verdict in words, and why there is that verdict. */
  readonly because?: Pair;
  readonly recorded?: readonly Pair[];
  /** Anchor and name of each rule that it judges. */
  readonly judges: readonly Pair[];
  readonly position: string;
  readonly again: string;
  /** What a search may ask of its messages; nothing where it has none. */
  readonly kinds?: readonly string[];
  readonly endpoints?: readonly string[];
  readonly statuses?: readonly string[];
  /** Where its exchanges stand; `null` where they are left out, and nothing where there are none. */
  readonly place?: Place | null;
}

/** All cases in the order of the result, and for each rule, by its anchor, which of them its script lists. */
export interface CaseRows {
  readonly cases: readonly CaseRow[];
  readonly rules: readonly (readonly [anchor: string, ordinals: readonly number[]])[];
  /** Requests with which those that are different are compared. */
  readonly valid: readonly ValidView[];
  /** What `carrierspec send` takes to send a request of this run again, quoted for a shell. */
  readonly sendFlags: string;
}

/** How long a case took; one that was tried again long after took what its first try did. */
function spanOf({ tries: [first, ...later], startedAt, endedAt }: CaseEntry): string {
  const [again] = later;
  if (first === undefined || again === undefined) return renderSpan(Math.max(0, endedAt - startedAt));
  return `${renderSpan(first.to - first.from)}, again ${renderSpan(again.from - first.from)} later`;
}

/** How much it exchanged, and how long it took. */
export function trafficOf(entry: CaseEntry): string {
  const { sentAt, receivedAt, startedAt } = entry;
  if (startedAt === 0) return 'not run';
  const parts = [
    countOf(sentAt.length, 'exchange'),
    ...(receivedAt.length === 0 ? [] : [countOf(receivedAt.length, 'delivery', 'deliveries')]),
  ];
  return [...parts, spanOf(entry)].join(', ');
}

/** The rules that a case judges, those of its steps last. */
export const judgedBy = ({ rules, also }: CaseEntry): readonly RuleRef[] => [
  ...rules,
  ...also.map((rule) => ({ rule })),
];

/** Whether a case stands in the markup: those that a reader without JavaScript looks for. */
export const isInMarkup = ({ verdict, home, hasFindings }: CaseEntry): boolean =>
  isNotable(verdict) || hasFindings || home === undefined;

const recordedPair = ([name, value]: readonly [string, Json]): Pair => [
  forTerminal(name),
  forTerminal(JSON.stringify(value)),
];

/** Characters of a value that a search may ask for. */
const facetLimit = 200;

function shownFacets({ facets }: CaseEntry): Pick<CaseRow, 'kinds' | 'endpoints' | 'statuses'> {
  const shown = (values: readonly string[]) =>
    values.length === 0 ? undefined : values.map((value) => forTerminal(value, facetLimit));
  return defined({
    kinds: shown(facets.kinds),
    endpoints: shown(facets.endpoints),
    statuses: shown(facets.statuses),
  });
}

function placeOf({ sentAt, receivedAt }: CaseEntry, place: Place | undefined): CaseRow['place'] {
  return sentAt.length + receivedAt.length === 0 ? undefined : (place ?? null);
}

function rowOf(entry: CaseEntry, { place, flags }: { place: Place | undefined; flags: readonly string[] }): CaseRow {
  const { id, title, verdict, reason, home, recorded, position } = entry;
  const values = Object.entries(recorded).map(recordedPair);
  return {
    anchor: caseAnchor(id),
    id: forTerminal(id),
    title: forTerminal(title),
    verdict,
    ...defined({
      home: home === undefined ? undefined : ([ruleAnchor(home), forTerminal(home)] as const),
      isDrawn: isInMarkup(entry) ? (true as const) : undefined,
      because: reason === undefined ? undefined : ([verdictLegend[verdict], forTerminal(reason)] as const),
      recorded: values.length === 0 ? undefined : values,
      place: placeOf(entry, place),
    }),
    traffic: trafficOf(entry),
    judges: judgedBy(entry).map((ref) => [ruleAnchor(ref.rule), forTerminal(renderRuleRef(ref))]),
    position: forTerminal(renderPosition(position)),
    again: forTerminal(renderCommand(id, flags)),
    ...shownFacets(entry),
  };
}

/** What the page's script lists under a rule: the cases that are shown there and not in the markup, then those of other rules. */
export function listedUnder(rule: string, cases: readonly CaseEntry[]): readonly CaseEntry[] {
  const own = cases.filter((entry) => entry.home === rule && !isInMarkup(entry));
  return [...own, ...cases.filter(({ home }) => home !== rule)];
}

/** The cases as data: of what passed, thousands of elements would stand in the page that nobody opens. */
export function rowsOf(
  { cases, casesOf, valid }: CaseIndex,
  { places, flags }: { places: readonly (Place | undefined)[]; flags: readonly string[] },
): CaseRows {
  return {
    cases: cases.map((entry) => rowOf(entry, { place: places[entry.ordinal], flags })),
    rules: [...casesOf].map(([id, own]) => [ruleAnchor(id), listedUnder(id, own).map(({ ordinal }) => ordinal)]),
    valid,
    sendFlags: forTerminal(renderSendFlags(flags)),
  };
}
