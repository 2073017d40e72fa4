import { type CaseRow, type TextPair, renderCase } from './case-element.ts';
import { countNoun } from '../../lib/lists.ts';
import { actWords } from '../../model/person-act.ts';
import { omitUndefined } from '../../lib/json.ts';
import { renderPosition, type RuleRef, renderRuleRef, verdictOrder } from '../../model/rule.ts';
import { renderCommand, renderSendFlags } from '../shared/facts.ts';
import { verdictLegend } from '../shared/prose.ts';
import { forTerminal } from '../shared/sanitize.ts';
import { renderSpan } from '../shared/time.ts';
import type { CaseEntry, CaseIndex } from './case-index.ts';
import { isNotable, type PackedPlace } from './case-view.ts';
import {
  caseAnchor,
  ruleAnchor,
  caseLink,
  type HtmlContent,
  html,
  joinContent,
  type Markup,
  nothing,
} from './links.ts';
import type { ValidView } from './message-view.ts';
import { verdictMark } from './fragments.ts';

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

/** Whether a case is in the markup, because a reader without JavaScript looks for it. */
const isInMarkup = ({ verdict, home, hasFindings }: CaseEntry): boolean =>
  isNotable(verdict) || hasFindings || home === undefined;

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

/** `show` makes a text visible and bounds it, unless rendering does so later. */
function makeCaseRow(
  entry: CaseEntry,
  { place, flags, show }: { place?: PackedPlace | undefined; flags: readonly string[]; show: (text: string) => string },
): CaseRow {
  const { id, title, verdict, reason, home, recorded, acts, position } = entry;
  const values = Object.entries(recorded).map(([name, value]): TextPair => [show(name), show(JSON.stringify(value))]);
  return {
    anchor: caseAnchor(id),
    id: show(id),
    title: show(title),
    verdict,
    ...omitUndefined({
      home: home === undefined ? undefined : ([ruleAnchor(home), show(home)] as const),
      isDrawn: isInMarkup(entry) ? (true as const) : undefined,
      because: reason === undefined ? undefined : ([verdictLegend[verdict], show(reason)] as const),
      recorded: values.length === 0 ? undefined : values,
      acts: acts?.map((act): TextPair => [act.try, show(actWords(act))]),
      place: entry.sent + entry.received === 0 ? undefined : (place ?? null),
    }),
    traffic: caseTraffic(entry),
    judges: entryRules(entry).map((ref) => [ruleAnchor(ref.rule), show(renderRuleRef(ref))]),
    position: show(renderPosition(position)),
    again: show(renderCommand(id, flags)),
    ...shownFacets(entry),
  };
}

/** Cases that the script lists under a rule: its own that are not in the markup, then those shown under other rules. */
function listedCases(rule: string, cases: readonly CaseEntry[]): readonly CaseEntry[] {
  const own = cases.filter((entry) => entry.home === rule && !isInMarkup(entry));
  return [...own, ...cases.filter(({ home }) => home !== rule)];
}

/** Cases as data, because passed ones would fill the page with thousands of unread elements. */
export function makeCaseRows(
  { cases, casesOf, valid }: CaseIndex,
  { places, flags }: { places: readonly (PackedPlace | undefined)[]; flags: readonly string[] },
): CaseRows {
  return {
    cases: cases.map((entry) => makeCaseRow(entry, { place: places[entry.ordinal], flags, show: forTerminal })),
    rules: [...casesOf].map(([id, own]) => [ruleAnchor(id), listedCases(id, own).map(({ ordinal }) => ordinal)]),
    valid,
    sendFlags: forTerminal(renderSendFlags(flags)),
  };
}

interface CasesSource {
  readonly findings: ReadonlyMap<string, Markup>;
  readonly flags: readonly string[];
}

/** Renders a case into the markup. Its exchanges are drawn when it is opened. */
export const renderCaseEntry = (entry: CaseEntry, { findings, flags }: CasesSource): Markup =>
  renderCase(html, makeCaseRow(entry, { flags, show: (text) => text }), findings.get(entry.id));

/** Names of cases by verdict: anchors for those of this rule, links for the others. */
function renderNames(rule: string, cases: readonly CaseEntry[]): HtmlContent {
  const nameOf = ({ id, home }: CaseEntry): Markup =>
    home === rule ? html`<b id="${caseAnchor(id)}">${id}</b>` : caseLink(id);
  return verdictOrder.flatMap((verdict) => {
    const own = cases.filter((entry) => entry.verdict === verdict);
    return own.length === 0 ? [] : [html`<p>${verdictMark(verdict)} ${joinContent(own.map(nameOf), ', ')}</p>`];
  });
}

/** Cases of a rule that are in the markup, and the names of the others for readers without JavaScript. */
export function renderRuleCases(rule: string, cases: readonly CaseEntry[], source: CasesSource): HtmlContent {
  const shown = cases.filter((entry) => entry.home === rule && isInMarkup(entry));
  const others = listedCases(rule, cases);
  const names = others.length === 0 ? nothing : html`<noscript>${renderNames(rule, others)}</noscript>`;
  return [shown.map((entry) => renderCaseEntry(entry, source)), names];
}
