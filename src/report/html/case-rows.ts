import type { FoundRow, TextPair } from './shared-elements.ts';
import { countNoun } from '../../lib/lists.ts';
import { actWords } from '../../model/person-act.ts';
import { omitUndefined } from '../../lib/json.ts';
import { renderPosition, type RuleRef, renderRuleRef, type Verdict } from '../../model/rule.ts';
import { renderCommand, renderSendFlags } from '../shared/facts.ts';
import { verdictLegend } from '../shared/prose.ts';
import { forTerminal } from '../shared/sanitize.ts';
import { renderSpan } from '../shared/time.ts';
import type { CaseEntry, CaseIndex } from './case-index.ts';
import { isNotable, type PackedPlace } from './case-view.ts';
import { caseAnchor, ruleAnchor } from './links.ts';
import type { ValidView } from './message-view.ts';

/** A case as data for the page's script, which draws it under its rule. Every text is already visible and bounded. */
export interface CaseRow {
  readonly anchor: string;
  readonly id: string;
  readonly title: string;
  readonly verdict: Verdict;
  /** Anchor and id of the rule under which it is shown. */
  readonly home?: TextPair;
  readonly traffic: string;
  /** Verdict in words, and its reason. */
  readonly because?: TextPair;
  /** Findings in it, and the number of those left out. */
  readonly found?: { readonly rows: readonly FoundRow[]; readonly left: number };
  readonly recorded?: readonly TextPair[];
  /** Try, and who was asked and answered what in it. */
  readonly acts?: readonly TextPair[];
  /** Anchor and name of each rule that it judges. */
  readonly judges: readonly TextPair[];
  readonly position: string;
  readonly again: string;
  /** Search facets of its messages; absent if empty. */
  readonly kinds?: readonly string[];
  readonly endpoints?: readonly string[];
  readonly statuses?: readonly string[];
  /** Place of its exchanges; `null` if they were left out, absent if there are none. */
  readonly place?: PackedPlace | null;
}

/** All cases in result order, and for each rule anchor the ordinals of the cases that the script lists. */
export interface CaseRows {
  readonly cases: readonly CaseRow[];
  readonly rules: readonly (readonly [anchor: string, ordinals: readonly number[]])[];
  /** Valid requests to compare others with. */
  readonly valid: readonly ValidView[];
  /** Flags for `carrierspec send` to repeat a request of this run, shell-quoted. */
  readonly sendFlags: string;
}

/** Duration of a case; if it was tried again, the duration of its first try and the delay of the next. */
function caseDuration({ tries: [first, ...later], startedAt, endedAt }: CaseEntry): string {
  const [again] = later;
  if (first === undefined || again === undefined) return renderSpan(Math.max(0, endedAt - startedAt));
  return `${renderSpan(first.to - first.from)}, again ${renderSpan(again.from - first.from)} later`;
}

function caseTraffic(entry: CaseEntry): string {
  const { sent, received, startedAt } = entry;
  if (startedAt === 0) return 'not run';
  const parts = [
    countNoun(sent, 'exchange'),
    ...(received === 0 ? [] : [countNoun(received, 'delivery', 'deliveries')]),
  ];
  return [...parts, caseDuration(entry)].join(', ');
}

const entryRules = ({ rules, also }: CaseEntry): readonly RuleRef[] => [...rules, ...also.map((rule) => ({ rule }))];

/** Maximum characters of a facet value. */
const facetLimit = 200;

function shownFacets({ facets }: CaseEntry): Pick<CaseRow, 'kinds' | 'endpoints' | 'statuses'> {
  const shown = (values: readonly string[]) =>
    values.length === 0 ? undefined : values.map((value) => forTerminal(value, facetLimit));
  return omitUndefined({
    kinds: shown(facets.kinds),
    endpoints: shown(facets.endpoints),
    statuses: shown(facets.statuses),
  });
}

function makeCaseRow(
  entry: CaseEntry,
  { place, flags, found }: { place: PackedPlace | undefined; flags: readonly string[]; found: CaseRow['found'] },
): CaseRow {
  const { id, title, verdict, reason, home, recorded, acts, position } = entry;
  const values = Object.entries(recorded).map(
    ([name, value]): TextPair => [forTerminal(name), forTerminal(JSON.stringify(value))],
  );
  return {
    anchor: caseAnchor(id),
    id: forTerminal(id),
    title: forTerminal(title),
    verdict,
    ...omitUndefined({
      home: home === undefined ? undefined : ([ruleAnchor(home), forTerminal(home)] as const),
      because: reason === undefined ? undefined : ([verdictLegend[verdict], forTerminal(reason)] as const),
      found,
      recorded: values.length === 0 ? undefined : values,
      acts: acts?.map((act): TextPair => [act.try, forTerminal(actWords(act))]),
      place: entry.sent + entry.received === 0 ? undefined : (place ?? null),
    }),
    traffic: caseTraffic(entry),
    judges: entryRules(entry).map((ref) => [ruleAnchor(ref.rule), forTerminal(renderRuleRef(ref))]),
    position: forTerminal(renderPosition(position)),
    again: forTerminal(renderCommand(id, flags)),
    ...shownFacets(entry),
  };
}

/** Cases of a rule: its own, those to look at first, then those shown under other rules. */
function listedCases(rule: string | undefined, cases: readonly CaseEntry[]): readonly CaseEntry[] {
  const own = cases.filter(({ home }) => home === rule);
  return [
    ...own.filter(({ verdict }) => isNotable(verdict)),
    ...own.filter(({ verdict }) => !isNotable(verdict)),
    ...cases.filter(({ home }) => home !== rule),
  ];
}

/** Anchor of the place for cases of rules that the result does not have. */
export const otherCases = 'other-cases';

/** Cases as data, because they would fill the page with thousands of unread elements. */
export function makeCaseRows(
  { cases, casesOf, valid }: CaseIndex,
  {
    places,
    flags,
    found,
  }: {
    places: readonly (PackedPlace | undefined)[];
    flags: readonly string[];
    found: ReadonlyMap<string, CaseRow['found']>;
  },
): CaseRows {
  const ordinals = (rule: string | undefined, own: readonly CaseEntry[]): readonly number[] =>
    listedCases(rule, own).map(({ ordinal }) => ordinal);
  const homeless = cases.filter(({ home }) => home === undefined);
  return {
    cases: cases.map((entry) =>
      makeCaseRow(entry, { place: places[entry.ordinal], flags, found: found.get(entry.id) }),
    ),
    rules: [
      ...[...casesOf].map(([id, own]) => [ruleAnchor(id), ordinals(id, own)] as const),
      [otherCases, ordinals(undefined, homeless)],
    ],
    valid,
    sendFlags: forTerminal(renderSendFlags(flags)),
  };
}
