import { flagValues } from '../../model/flags.ts';
import type { ResultHeader, Result, RuleResult } from '../../model/result.ts';
import { leftOutWords } from '../../model/risk.ts';
import { quoteWord } from '../../lib/shell.ts';
import { countNoun, listRanges } from '../../lib/lists.ts';
import { runEnding } from '../../verdict/ending.ts';
import { brokenCauses } from '../../verdict/standing.ts';

export const selectionText = ({ selection, flags }: ResultHeader): string => {
  const chosen = selection.length === 0 ? 'everything' : selection.join(', ');
  const without = flagValues(flags, '--without');
  return `${chosen}${without.length === 0 ? '' : `, without ${without.join(', ')}`}`;
};

/** Parts that a run does not cover, a clause each; empty for a complete run. */
export function notCovered({ selection, flags, shard }: ResultHeader): readonly string[] {
  const without = flagValues(flags, '--without');
  return [
    ...(selection.length === 0 ? [] : [`the rules outside the selection ${selection.join(', ')}`]),
    ...leftOutWords(without),
    ...(shard === undefined
      ? []
      : [`the rules that the other parts judged: this is part ${shard.index} of ${shard.of}`]),
  ];
}

/** `from 2 parts: 1 of run 4f…, 2 of run 9a…`; undefined for the result of a single run. */
export const joinedText = ({ joined }: ResultHeader): string | undefined =>
  joined && `from ${joined.length} parts: ${joined.map(({ run, index }) => `${index} of run ${run}`).join(', ')}`;

type MeaningSource = Pick<Result, 'header' | 'footer' | 'rules'>;

/** A result with its findings. */
type WholeMeaning = MeaningSource & Pick<Result, 'cases' | 'invariants'>;

/** Number of required rules that apply and were not judged. */
function countOpenRules({ footer }: MeaningSource): number {
  const { applicable, judged } = footer?.score.required ?? { applicable: 0, judged: 0 };
  return applicable - judged;
}

const listAreas = (rules: readonly RuleResult[]): string => listRanges([...new Set(rules.map(({ area }) => area))], 4);

/** Limit of the verdict that a decision maker must know. */
function limitSentence(said: MeaningSource): string {
  const open = countOpenRules(said);
  const rules = `${countNoun(open, 'required rule')} without a verdict`;
  if (said.header.clock.kind === 'virtual')
    return `The clock was virtual, so this says nothing about real time${open === 0 ? '' : `, nor about ${rules}`}.`;
  if (open === 0) return 'Every required rule that applies was judged.';
  return `It says nothing about ${rules}: “Not judged” lists ${open === 1 ? 'it' : 'them'}.`;
}

/** Scope of a partial run; empty for a complete one. */
const partSentence = ({ header }: MeaningSource): string => {
  const { shard } = header;
  if (shard !== undefined)
    return `It is part ${shard.index} of ${shard.of} of a run on several machines: “carrierspec merge” joins the parts, and says what the whole run means.`;
  const left = notCovered(header);
  return left.length === 0 ? '' : `It says nothing about ${left.join(', nor about ')}.`;
};

function keptSentence({ footer, rules }: MeaningSource): string {
  if (footer?.outcome === 'not judged')
    return 'This says nothing about whether the carrier does what the interface requires.';
  if (rules.every((rule) => rule.baseline === true))
    return 'In every judged rule the carrier keeps to the baseline, the security practice that every carrier has to keep to. The rules of the interface were not tested.';
  return 'In every judged rule the carrier does what the interface requires: a service provider that keeps to the interface gets what it is promised.';
}

function conformantMeaning(said: MeaningSource): readonly string[] {
  const part = partSentence(said);
  const isOpen = countOpenRules(said) > 0 || said.header.clock.kind === 'virtual';
  return [keptSentence(said), ...(part === '' ? [] : [part]), ...(part === '' || isOpen ? [limitSentence(said)] : [])];
}

/** `3 rules (callback, events)`. */
const rulesWithAreas = (rules: readonly RuleResult[]): string =>
  `${countNoun(rules.length, 'rule')} (${listAreas(rules)})`;

/** Whether all that is broken of a rule is recommended by its text, and required by the profile or because it was named. */
function isRaised({ id, stated }: RuleResult, { cases, invariants }: WholeMeaning): boolean {
  const broken = [...cases, ...invariants]
    .flatMap(({ findings }) => findings)
    .filter(({ rule, level }) => rule === id && level === 'required');
  return broken.length === 0 ? stated !== undefined : broken.every((finding) => finding.stated !== undefined);
}

const raisedSentence = (raised: readonly RuleResult[]): string =>
  `In ${rulesWithAreas(raised)} the carrier does not do what is recommended, which this run requires.`;

/** The broken rules that count, as one or two facts about the carrier. */
function brokenSentences(said: WholeMeaning): string {
  const rules = brokenCauses(said.rules);
  const raised = rules.filter((rule) => isRaised(rule, said));
  const others = rules.filter((rule) => !raised.includes(rule));
  return [
    ...(others.length > 0 || raised.length === 0 ? [brokenSentence(others)] : []),
    ...(raised.length > 0 ? [raisedSentence(raised)] : []),
  ].join(' ');
}

function brokenSentence(rules: readonly RuleResult[]): string {
  const where = rules.length === 0 ? 'The carrier' : `In ${rulesWithAreas(rules)} the carrier`;
  if (rules.length > 0 && rules.every(({ baseline }) => baseline === true))
    return `${where} falls short of the baseline, the security practice that every carrier has to keep to.`;
  const asked = rules.some(({ baseline }) => baseline === true)
    ? 'the interface and the baseline require'
    : 'the interface requires';
  return `${where} does something other than ${asked}, and a service provider that relies on it does not get what it is promised.`;
}

function brokenMeaning(said: WholeMeaning, after: string): readonly string[] {
  return [brokenSentences(said), after];
}

/** The reference carrier ended with its run, so only a run against a target can resume. */
export const canResume = ({ header }: MeaningSource): boolean => header.flags.includes('--target');

/** Flags for the files of the run: those that a journal or a result names are not opened, so a command repeats them. */
export const ownFiles = ({ header }: MeaningSource): string =>
  ['--target', '--suites']
    .flatMap((name) => flagValues(header.flags, name).map((file) => ` ${name} ${quoteWord(file)}`))
    .join('');

/** Command that resumes the run. */
export const resumeWords = (said: MeaningSource): string => `carrierspec run --resume${ownFiles(said)}`;

const resumeSentence = (said: MeaningSource): string =>
  canResume(said)
    ? `It can go on where it stopped, with “${resumeWords(said)}”, and its --out if it had one.`
    : 'It was of the reference carrier that ended with it, so it cannot go on: run it again.';

function afterIncomplete(said: MeaningSource): string {
  if (said.header.shard !== undefined) return partSentence(said);
  const missing = '“Not judged” lists the missing rules and the reasons';
  if (said.footer?.stopped === true && canResume(said)) return `${missing}. ${resumeSentence(said)}`;
  return `${missing}. Run those cases again with “carrierspec run --last-failed”.`;
}

function incompleteMeaning(said: MeaningSource): readonly string[] {
  const { judged, applicable } = said.footer?.score.required ?? { judged: 0, applicable: 0 };
  const isSelected = notCovered(said.header).length > 0;
  return [
    `This is no verdict on the carrier, neither good nor bad: of ${countNoun(applicable, isSelected ? 'selected required rule' : 'required rule')} that ${applicable === 1 ? 'applies' : 'apply'}, ${judged} ${judged === 1 ? 'was' : 'were'} judged.`,
    afterIncomplete(said),
  ];
}

/** Meaning of the outcome for decision makers, in two or three sentences; adds nothing to what was judged. */
export function explainOutcome(said: WholeMeaning): readonly string[] {
  if (said.footer === undefined)
    return ['This is no verdict on the carrier: the run was cut off before it could conclude.', resumeSentence(said)];
  const { outcome } = said.footer;
  if (outcome === 'conformant' || outcome === 'not judged') return conformantMeaning(said);
  if (outcome === 'incomplete') return incompleteMeaning(said);
  const isKnown = runEnding(said) === 'expected';
  return brokenMeaning(
    said,
    isKnown
      ? 'Each broken rule is known and expected until a date: a build may go on, but the run certifies nothing.'
      : 'A certificate of this run would say so. Each broken rule has its evidence below, and the command that shows it again.',
  );
}
