import { type CaseRow, type Pair, renderCase } from './case-element.ts';
import { countOf } from '../../lib/lists.ts';
import { defined } from '../../lib/json.ts';
import { renderPosition, type RuleRef, renderRuleRef, severity } from '../../model/rule.ts';
import { renderCommand, renderSendFlags } from '../shared/facts.ts';
import { verdictLegend } from '../shared/prose.ts';
import { forTerminal } from '../shared/sanitize.ts';
import { renderSpan } from '../shared/time.ts';
import type { CaseEntry, CaseIndex } from './case-index.ts';
import { isNotable, type Place } from './case-view.ts';
import { caseAnchor, ruleAnchor, caseLink, type Content, html, join, type Markup, nothing } from './links.ts';
import type { ValidView } from './message-view.ts';
import { verdictMark } from './parts.ts';

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

export function trafficOf(entry: CaseEntry): string {
  const { sentAt, receivedAt, startedAt } = entry;
  if (startedAt === 0) return 'not run';
  const parts = [
    countOf(sentAt.length, 'exchange'),
    ...(receivedAt.length === 0 ? [] : [countOf(receivedAt.length, 'delivery', 'deliveries')]),
  ];
  return [...parts, spanOf(entry)].join(', ');
}

const judgedBy = ({ rules, also }: CaseEntry): readonly RuleRef[] => [...rules, ...also.map((rule) => ({ rule }))];

/** Whether a case stands in the markup: those that a reader without JavaScript looks for. */
const isInMarkup = ({ verdict, home, hasFindings }: CaseEntry): boolean =>
  isNotable(verdict) || hasFindings || home === undefined;

/** Characters of a value that a search may ask for. */
const facetLimit = 200;

function shownFacets({ facets }: CaseEntry): Pick<CaseRow, 'kinds' | 'endpoints' | 'statuses'> {
  const shown = (values: readonly string[]) =>
    values.length === 0 ? undefined : values.map((value) => forTerminal(value, facetLimit));
  return defined({ kinds: shown(facets.kinds), endpoints: shown(facets.endpoints), statuses: shown(facets.statuses) });
}

/** `show` makes a text visible and bounds it, where nothing else does later. */
function rowOf(
  entry: CaseEntry,
  { place, flags, show }: { place?: Place | undefined; flags: readonly string[]; show: (text: string) => string },
): CaseRow {
  const { id, title, verdict, reason, home, recorded, position } = entry;
  const values = Object.entries(recorded).map(([name, value]): Pair => [show(name), show(JSON.stringify(value))]);
  return {
    anchor: caseAnchor(id),
    id: show(id),
    title: show(title),
    verdict,
    ...defined({
      home: home === undefined ? undefined : ([ruleAnchor(home), show(home)] as const),
      isDrawn: isInMarkup(entry) ? (true as const) : undefined,
      because: reason === undefined ? undefined : ([verdictLegend[verdict], show(reason)] as const),
      recorded: values.length === 0 ? undefined : values,
      place: entry.sentAt.length + entry.receivedAt.length === 0 ? undefined : (place ?? null),
    }),
    traffic: trafficOf(entry),
    judges: judgedBy(entry).map((ref) => [ruleAnchor(ref.rule), show(renderRuleRef(ref))]),
    position: show(renderPosition(position)),
    again: show(renderCommand(id, flags)),
    ...shownFacets(entry),
  };
}

/** What the page's script lists under a rule: the cases that are shown there and not in the markup, then those of other rules. */
function listedUnder(rule: string, cases: readonly CaseEntry[]): readonly CaseEntry[] {
  const own = cases.filter((entry) => entry.home === rule && !isInMarkup(entry));
  return [...own, ...cases.filter(({ home }) => home !== rule)];
}

/** The cases as data: of what passed, thousands of elements would stand in the page that nobody opens. */
export function rowsOf(
  { cases, casesOf, valid }: CaseIndex,
  { places, flags }: { places: readonly (Place | undefined)[]; flags: readonly string[] },
): CaseRows {
  return {
    cases: cases.map((entry) => rowOf(entry, { place: places[entry.ordinal], flags, show: forTerminal })),
    rules: [...casesOf].map(([id, own]) => [ruleAnchor(id), listedUnder(id, own).map(({ ordinal }) => ordinal)]),
    valid,
    sendFlags: forTerminal(renderSendFlags(flags)),
  };
}

interface CasesSource {
  readonly findings: ReadonlyMap<string, Markup>;
  readonly flags: readonly string[];
}

/** A case that stands in the markup. Its exchanges come when it is opened. */
export const renderCaseOf = (entry: CaseEntry, { findings, flags }: CasesSource): Markup =>
  renderCase(html, rowOf(entry, { flags, show: (text) => text }), findings.get(entry.id));

/** Names of cases by verdict: those of this rule with an anchor, those of others as links. */
function renderNames(rule: string, cases: readonly CaseEntry[]): Content {
  const nameOf = ({ id, home }: CaseEntry): Markup =>
    home === rule ? html`<b id="${caseAnchor(id)}">${id}</b>` : caseLink(id);
  return severity.flatMap((verdict) => {
    const own = cases.filter((entry) => entry.verdict === verdict);
    return own.length === 0 ? [] : [html`<p>${verdictMark(verdict)} ${join(own.map(nameOf), ', ')}</p>`];
  });
}

/** The cases of a rule that need a look, in full; the script lists the others. */
export function renderCasesOf(rule: string, cases: readonly CaseEntry[], source: CasesSource): Content {
  const shown = cases.filter((entry) => entry.home === rule && isInMarkup(entry));
  const others = listedUnder(rule, cases);
  const names = others.length === 0 ? nothing : html`<noscript>${renderNames(rule, others)}</noscript>`;
  return [shown.map((entry) => renderCaseOf(entry, source)), names];
}
