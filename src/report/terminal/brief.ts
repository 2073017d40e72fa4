import { countNoun, groupBy, listRanges } from '../../lib/lists.ts';
import type { Result, ResultFooter, ResultHeader, RuleResult } from '../../model/result.ts';
import { runExitCode } from '../../verdict/ending.ts';
import { runHeadline } from '../../verdict/headline.ts';
import { isStale } from '../../verdict/expected.ts';
import { peopleWords } from '../../model/person-act.ts';
import { commonFacts, rankBroken, type RankedRule, shortHeadline } from '../shared/broken-rules.ts';
import { consequenceWords } from '../shared/consequences.ts';
import { type EvidenceLine, findingFacts } from '../shared/facts.ts';
import { fitText, type Page, padText, type Tone } from '../shared/layout.ts';
import { selectionText } from '../shared/meaning.ts';
import { type FindingGroup, foundElsewhere, type LocatedFinding, type ReportModel } from '../shared/model.ts';
import { nextStep } from '../shared/next-step.ts';
import { staleWords, summarizeUnsolicited } from '../shared/notes.ts';
import { levelWords, renderClause, ruleSentence, violationCount } from '../shared/prose.ts';
import {
  capitalise,
  doubtWords,
  gapWords,
  leftOutCount,
  outcomeWords,
  passingWords,
  rootFacts,
} from '../shared/run-prose.ts';
import { forTerminal } from '../shared/sanitize.ts';
import { unjudgedCauses } from '../shared/unjudged.ts';
import { brokenLines, endingTone } from './sections.ts';

/** Number of causes that are shown with one finding; the others get a line. */
const maxShown = 3;
/** Most lines for the other causes, for rules that are not followed, and for causes of rules without a verdict. */
const maxOthers = 14;
const maxCauses = 6;
/** Most rules that are not followed and are shown with what came. */
const maxWithHeadline = 4;
/** Most remains at the carrier. */
const maxLeft = 3;
/** Most lines of one text beside its label, about. */
const maxTextLines = 3;

/** Facts of a finding that `-v` and the files have, and this report leaves out. */
const leftOut: ReadonlySet<string> = new Set(['when', 'where', 'send alone']);

/** Cells beside the widest usual label. */
const labelCells = 16;

/** A label and its text, cut to about three lines unless it is a command. */
function briefFact(page: Page, { label, text, whole }: EvidenceLine, tone?: Tone): readonly string[] {
  if (whole === true) return page.fact(label, text, { tone, whole });
  return page.fact(label, fitText(forTerminal(text), (page.width - labelCells) * maxTextLines), { tone });
}

/** The evidence of one finding: what was expected, what came, what was sent, and the command that shows it again. */
function findingLines(page: Page, found: readonly LocatedFinding[], tone: Tone): readonly string[] {
  const [first, ...more] = found;
  if (first === undefined) return [];
  const { id, title, invariant, seenIn } = first;
  const { confirmation } = invariant ?? seenIn ?? {};
  const place =
    invariant === undefined ? `${id}: ${title}` : `${id}: ${title}, violated by ${violationCount(invariant)}`;
  const { count, names } = foundElsewhere([first], more);
  const facts = findingFacts(first, page.flags).filter(
    ({ label }) => !leftOut.has(label) && !(label === 'tries' && confirmation?.status === 'confirmed'),
  );
  const tones: Readonly<Record<string, Tone>> = { actual: tone, expected: page.paint.green };
  return [
    ...briefFact(page, { label: invariant === undefined ? 'case' : 'invariant', text: place }, page.paint.bold),
    ...facts.flatMap((fact) => briefFact(page, fact, tones[fact.label])),
    ...(names.length === 0 ? [] : page.fact('also in', `${count}: ${listRanges(names, 3)}`)),
  ];
}

/** One cause of what is broken: a rule, or a fact that breaks several. */
interface Cause {
  readonly head: readonly string[];
  readonly line: string;
  readonly found: readonly LocatedFinding[];
  readonly follows: string | undefined;
}

function ruleCause(page: Page, { rule, groups, found }: RankedRule, model: ReportModel): Cause {
  const [group] = groups;
  const ref = group?.ref ?? rule.id;
  const clause = forTerminal(renderClause(rule.clause), 60);
  const [first] = found;
  const cases = new Set(found.map(({ id }) => id)).size;
  return {
    head: [
      `${page.paint.red.bold(forTerminal(ref, 80))}  ${levelWords(group ?? rule)}  ${clause}`,
      ...page.paragraph(ruleSentence(rule, ref)).slice(0, maxTextLines),
      ...(first === undefined ? page.paragraph(rule.reason ?? 'no finding was kept') : []),
    ],
    line: `${padText(`${forTerminal(ref)} `, 12)}${first === undefined ? (rule.reason ?? '') : shortHeadline(first)} (${countNoun(cases, 'case')})`,
    found,
    follows: consequenceWords(model.following.get(rule.id)),
  };
}

/** Causes of what is broken and not expected, the most important first; a fact that breaks several rules comes before them. */
function listCauses(page: Page, result: Result, model: ReportModel): readonly Cause[] {
  const ranked = rankBroken(result, model).filter(({ isExpected }) => !isExpected);
  const facts = commonFacts(model);
  const common = new Set(facts.flatMap(({ rules }) => rules));
  const ofFacts = facts.map(({ words, rules }): Cause => {
    const found = ranked.filter(({ rule }) => rules.includes(rule.id)).flatMap((one) => one.found);
    const head = [
      ...page.paragraph(words, { indent: 0, tone: page.paint.red.bold }),
      ...page.paragraph(listRanges(rules, maxOthers)).slice(0, maxTextLines),
    ];
    return { head, line: words, found, follows: undefined };
  });
  const own = ranked.filter(({ rule }) => !common.has(rule.id)).map((one) => ruleCause(page, one, model));
  return [...ofFacts, ...own];
}

/** The line of a list, cut to the page. */
const listLine = (page: Page, text: string): string => `  ${fitText(forTerminal(text), page.width - 2)}`;

/** The first lines of a list, and the number of those left out. */
function shortList(page: Page, lines: readonly string[], most: number): readonly string[] {
  const more = lines.length - most;
  const shown = lines.slice(0, more > 0 ? most - 1 : most).map((line) => listLine(page, line));
  return more > 0 ? [...shown, ...page.paragraph(`and ${more + 1} more, with -v and in the reports`)] : shown;
}

function brokenSection(page: Page, result: Result, model: ReportModel): readonly string[] {
  const causes = listCauses(page, result, model);
  if (causes.length === 0) return [];
  const { red } = page.paint;
  const broken = result.rules.filter(({ standing }) => standing === 'broken').length;
  return [
    ...page.heading('Broken rules', String(broken), red.bold),
    ...causes
      .slice(0, maxShown)
      .flatMap(({ head, found, follows }, at) => [
        ...(at === 0 ? [] : ['']),
        ...head,
        ...findingLines(page, found, red),
        ...(follows === undefined ? [] : briefFact(page, { label: 'follows', text: follows })),
      ]),
    ...(causes.length > maxShown ? [''] : []),
    ...shortList(
      page,
      causes.slice(maxShown).map(({ line }) => line),
      maxOthers,
    ),
  ];
}

/** The sentence of a rule, or of the aspect that is not followed with its own level; then what came, if wanted. */
function quieterLines(rule: RuleResult, group: FindingGroup, isWhole: boolean): readonly string[] {
  const { ref, found } = group;
  const aspect = rule.aspects?.[ref];
  const said =
    aspect === undefined ? `${padText(ref, 12)}${rule.description}` : `${ref}  ${levelWords(group)}: ${aspect}`;
  const [first] = found;
  return isWhole && first !== undefined ? [said, `${padText('', 12)}${shortHeadline(first)}`] : [said];
}

/** Rules that are broken or not followed and do not count, each with its sentence; a few of them with what came as well. */
function quieterSection(page: Page, { rules }: Result, model: ReportModel): readonly string[] {
  const sections = [
    ['Broken, but not counted', ['uncounted'], model.uncounted],
    ['Not followed', ['not followed'], model.warnings],
    ['Unstable', ['unstable'], model.warnings],
  ] as const;
  return sections.flatMap(([name, standings, groups]) => {
    const own = rules.filter(({ standing }) => standings.some((one) => one === standing));
    if (own.length === 0) return [];
    const firsts = groupBy([...groups.values()], ({ rule }) => rule);
    const lines = own.flatMap((rule) => {
      const all = firsts.get(rule.id) ?? [];
      // A finding of the rule itself that was seen in one of two tries is no recommendation.
      const softer = all.filter(({ level }) => level === 'recommended');
      const found = softer.length > 0 ? softer : all;
      if (found.length === 0) return [`${padText(rule.id, 12)}${rule.description}`];
      return found.flatMap((group) => quieterLines(rule, group, own.length <= maxWithHeadline));
    });
    return [
      ...page.heading(name, countNoun(own.length, 'rule'), page.paint.yellow),
      ...shortList(page, lines, maxOthers),
    ];
  });
}

/** Entries of expected.yaml that hold a rule, and those to delete. */
function expectedSection(page: Page, { footer }: Pick<Result, 'footer'>): readonly string[] {
  const { expected = [] } = footer ?? {};
  const held = expected.filter(({ explains }) => explains.length > 0).map(({ what, name }) => `${what} ${name}`);
  return [
    ...(held.length === 0 ? [] : ['', ...page.paragraph(`Broken as expected: ${held.join(', ')}`, { indent: 0 })]),
    ...expected
      .filter(isStale)
      .flatMap((entry) => page.paragraph(staleWords(entry), { indent: 0, tone: page.paint.red })),
  ];
}

/** Rules without a verdict, one line a cause. */
function unjudgedSection(page: Page, result: Result): readonly string[] {
  const causes = unjudgedCauses(result);
  const count = causes.reduce((sum, { rules }) => sum + rules.length, 0);
  if (count === 0) return [];
  const required = causes.reduce((sum, one) => sum + one.required, 0);
  const counted = `${countNoun(count, 'rule')}${required === count ? '' : `, ${required} of them required`}`;
  const [cause, ...others] = causes;
  const lines = causes.map(
    ({ words, rules }) => `${String(rules.length).padStart(3)}  ${words}: ${listRanges(rules, 4)}`,
  );
  if (cause !== undefined && others.length === 0)
    return [
      '',
      ...page.paragraph(`Not judged  ${counted}: ${cause.words}: ${listRanges(cause.rules, 4)}`, { indent: 0 }),
    ];
  return [...page.heading('Not judged', counted), ...shortList(page, lines, maxCauses)];
}

const certifiedLine = (header: ResultHeader): string => {
  const { tool, target } = header;
  return `${tool.name} ${tool.version}: ${target.name}, ${target.issuer}, ${selectionText(header)}`;
};

/** Reasons and disturbances of the run, and its remains at the carrier: seldom, and always worth a line. */
function footerLines(page: Page, footer: ResultFooter): readonly string[] {
  const { left = [], gaps = [], people, passing, leftOut: out, root, reasons } = footer;
  // How many rules have no verdict stands under “Not judged”.
  const stops = root === undefined ? reasons.filter((reason) => !reason.endsWith(' without a verdict')) : [];
  const facts = [
    ...rootFacts(root),
    ...stops.map((text) => ({ label: 'because', text })),
    ...left.slice(0, maxLeft).map((text) => ({ label: 'left', text })),
    ...(left.length > maxLeft ? [{ label: 'left', text: `and ${left.length - maxLeft} more, with -v` }] : []),
    ...gaps.map((gap) => ({ label: 'gap', text: gapWords(gap) })),
    ...(people === undefined ? [] : [{ label: 'people', text: peopleWords(people) }]),
    ...(out === undefined ? [] : [{ label: 'left out', text: leftOutCount(out) }]),
    ...(passing === undefined ? [] : [{ label: 'failures', text: passingWords(passing) }]),
    ...(footer.doubt === undefined
      ? []
      : [{ label: 'skew', text: `the carrier's clock is ${doubtWords(footer.doubt)}` }]),
  ];
  return facts.flatMap(({ label, text }) => page.fact(label, text));
}

/** Rules that the operator attests; undefined if there are none. */
function attestedText({ rules }: Pick<Result, 'rules'>): string | undefined {
  const attested = rules.filter(({ standing }) => standing === 'attested').map(({ id }) => id);
  if (attested.length === 0) return undefined;
  return `${countNoun(attested.length, 'rule')} by the operator, counted as no pass: ${listRanges(attested, maxOthers)}`;
}

/** The verdict with its exit code, the share of the rules that it rests on, and the next command. */
function verdictLines(page: Page, result: Result, file: string | undefined): readonly string[] {
  const { header, footer, rules } = result;
  const unsolicited = summarizeUnsolicited(result);
  const limits = footer?.headline.limits ?? [];
  const next = nextStep(result, file);
  return [
    '',
    // It is not wrapped, so that the exit code ends its line.
    endingTone(page, result)(forTerminal(`${capitalise(runHeadline(result).words)}: exit code ${runExitCode(result)}`)),
    ...(footer === undefined
      ? page.paragraph('The run was cut off: it has no outcome and no score.')
      : page.paragraph(`${capitalise(outcomeWords({ header, footer, rules }))}.`)),
    ...page.fact('scope', limits.length === 0 ? undefined : limits.join('; ')),
    ...(footer === undefined ? [] : footerLines(page, footer)),
    ...page.fact('attested', attestedText(result)),
    ...page.fact('unasked', unsolicited?.words),
    ...page.fact('next', next, { whole: true }),
  ];
}

interface BriefSource {
  readonly model: ReportModel;
  /** File that has the result. */
  readonly file: string | undefined;
}

/** Broken rules, a line each, and the verdict. */
export const renderQuiet = (page: Page, result: Result, { model, file }: BriefSource): readonly string[] =>
  [...brokenLines(page, result, model), ...verdictLines(page, result, file)].slice(1);

/** A run on one screen: what was certified, what is broken, what is not followed, what was not judged, the verdict, the next command. */
export const renderBrief = (page: Page, result: Result, { model, file }: BriefSource): readonly string[] => [
  page.paint.bold(fitText(forTerminal(certifiedLine(result.header)), page.width)),
  ...brokenSection(page, result, model),
  ...expectedSection(page, result),
  ...quieterSection(page, result, model),
  ...unjudgedSection(page, result),
  ...verdictLines(page, result, file),
];
