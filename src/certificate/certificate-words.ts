import { listIds } from '../lib/lists.ts';
import type { Headline } from '../model/result.ts';
import { judgedShare, makeHeadline, isPartial, type VerdictScope } from '../verdict/headline.ts';
import { leftOutWords } from '../model/risk.ts';
import { peopleWords } from '../model/person-act.ts';
import { type Score, verdictOrder } from '../model/rule.ts';
import type { Manifest } from './manifest.ts';

/** Claims of a certificate, and their limits, one sentence each. Names and reasons in them are hostile input. */
interface CertificateWords {
  /** Names the carrier, what it was found to be, and in which part of the rules. */
  readonly sentence: string;
  readonly certified: readonly string[];
  readonly notCertified: readonly string[];
  /** Digests of files and programs, and the run. */
  readonly digests: readonly string[];
}

const countNouns = (number: number, one: string, many = `${one}s`): string => `${number} ${number === 1 ? one : many}`;
const scoreFraction = ({ conforming, judged }: Score): string => `${conforming} of ${judged}`;

const foldRuleIds = (ids: readonly string[]): string => listIds(ids, 8);

const certificateScope = ({ run, carrier, clock, certificationProfile, named }: Manifest): VerdictScope => ({
  isPartial: isPartial(run),
  profile: certificationProfile,
  testCarrier: carrier.testCarrier,
  clock: clock.kind,
  named,
});

export const certifiedHeadline = (manifest: Manifest): Headline => makeHeadline(manifest, certificateScope(manifest));

interface BrokenIds {
  readonly warned: readonly string[];
  /** Broken rules that count for the outcome. */
  readonly counted: readonly string[];
  /** Broken rules that the profile does not count. */
  readonly apart: readonly string[];
}

function brokenIds({ verdicts, apart }: Manifest): BrokenIds {
  const idsOf = (verdict: string): readonly string[] => Object.keys(verdicts).filter((id) => verdicts[id] === verdict);
  const broken = idsOf('fail');
  return {
    warned: idsOf('warn'),
    counted: broken.filter((id) => !apart.includes(id)),
    apart: broken.filter((id) => apart.includes(id)),
  };
}

const carrierWords = ({ carrier }: Manifest): string =>
  `${carrier.testCarrier ? 'the test carrier' : 'the carrier'} "${carrier.name}" (${carrier.issuer})`;

/** Rules that are broken or have a warning, and the part that was judged if the headline does not say it. */
function besideHeadline(manifest: Manifest, { words }: Headline): readonly string[] {
  const { warned, counted, apart } = brokenIds(manifest);
  const share = judgedShare(manifest, certificateScope(manifest));
  return [
    ...(counted.length === 0 ? [] : [`${foldRuleIds(counted)} ${counted.length === 1 ? 'is' : 'are'} broken`]),
    ...(apart.length === 0 ? [] : [`${countNouns(apart.length, 'broken rule')} the profile does not count`]),
    ...(warned.length === 0
      ? []
      : [`${countNouns(warned.length, 'rule')} ${warned.length === 1 ? 'has' : 'have'} a warning`]),
    ...(words.includes(share) ? [] : [`${share} were judged`]),
  ];
}

function certifiedSentence(manifest: Manifest): string {
  const headline = certifiedHeadline(manifest);
  return `${[`${carrierWords(manifest)} was found ${headline.words}`, ...besideHeadline(manifest, headline)].join('; ')}.`;
}

function certifiedSentences(manifest: Manifest): readonly string[] {
  const { run, score, counts, attested, recorded, clock, declarations, people } = manifest;
  const verdicts = verdictOrder.toReversed().filter((verdict) => counts[verdict] > 0);
  const values = Object.values(recorded).reduce((sum, one) => sum + Object.keys(one).length, 0);
  return [
    `the interface: ${manifest.interface.id} ${manifest.interface.version}`,
    certifiedHeadline(manifest).limits.join('; '),
    `the run: from ${run.startedAt} to ${run.endedAt}, ${clock.kind === 'real' ? 'in real time' : 'on the virtual clock'}`,
    ...(declarations.length === 0
      ? []
      : [`the target file declares: ${declarations.map(({ words }) => words).join('; ')}`]),
    `rules that were judged and conform: ${scoreFraction(score.required)} required, ${scoreFraction(score.recommended)} recommended, ${scoreFraction(score.informational)} informational; a rule counts at each level that it or a part of it has`,
    `the verdicts of ${countNouns(Object.keys(manifest.verdicts).length, 'rule')}: ${verdicts.map((verdict) => `${counts[verdict]} ${verdict}`).join(', ')}`,
    `recorded of what the interface leaves open: ${countNouns(values, 'value')} of ${countNouns(Object.keys(recorded).length, 'rule')}`,
    ...(attested.length === 0
      ? []
      : [
          `attested by the operator, with evidence, and counted as no pass: ${foldRuleIds(attested.map(({ rule }) => rule))}`,
        ]),
    ...(people === undefined ? [] : [`${peopleWords(people)}; on them rest verdicts on ${foldRuleIds(people.rules)}`]),
  ];
}

function digestLines({ carrier, run, result, suites, tool }: Manifest): readonly string[] {
  return [
    `run ${run.id}: ${countNouns(result.cases, 'case')}, by carrierspec ${tool.version} on Node ${tool.node}`,
    `result: ${result.digest}, ${countNouns(result.bytes, 'byte')}`,
    `rules: ${suites.rules}`,
    `suites: ${suites.suites}`,
    `target file: ${carrier.fingerprint}`,
    `program: ${tool.digest}`,
  ];
}

function runLimitations({ carrier, clock, run, suites }: Manifest): readonly string[] {
  return [
    ...(carrier.testCarrier
      ? ['the operator declares it a test carrier: nothing is said of a carrier that serves subscribers']
      : []),
    ...(clock.kind === 'virtual'
      ? ['the clock was virtual, so no wait lasted as long as the rule says: nothing is said of behaviour in real time']
      : []),
    ...(run.faults.length > 0 ? [`the embedded reference carrier was given defects: ${run.faults.join(', ')}`] : []),
    ...(run.selection.length > 0 ? [`only what was selected was run: ${run.selection.join(', ')}`] : []),
    ...leftOutWords(run.without).map((words) => `the run left out ${words}`),
    ...(suites.additions.length > 0
      ? [`suites were added that do not ship with carrierspec: ${suites.additions.join(', ')}`]
      : []),
    ...run.reasons.map((reason) => `the run is not whole: ${reason}`),
  ];
}

function notCertifiedSentences(manifest: Manifest): readonly string[] {
  const { notJudged, expectedFailures, outcome } = manifest;
  const { warned, counted, apart } = brokenIds(manifest);
  return [
    ...(outcome === 'conformant' ? [] : [`these required rules are broken: ${foldRuleIds(counted)}`]),
    ...runLimitations(manifest),
    ...(apart.length === 0
      ? []
      : [`these required rules of the baseline are broken, which the profile does not count: ${foldRuleIds(apart)}`]),
    ...(warned.length === 0
      ? []
      : [
          `what these rules only recommend is not followed, or a violation showed in one of two tries: ${foldRuleIds(warned)}`,
        ]),
    ...expectedFailures.map(
      ({ what, name, reason, owner, expires, became }) =>
        `${what} ${name} was expected to fail, ${became === 'failed' ? 'and failed' : `and ${became}`}: ${reason} (${owner}, until ${expires}); no verdict is softer for it`,
    ),
    ...notJudged.map(({ verdict, reason, rules }) => `${verdict}: ${reason} (${foldRuleIds(rules)})`),
  ];
}

/** Limits of every certificate (docs/certification.md, "What a certificate does not say"). */
const alwaysNotCertified: readonly string[] = [
  'how the carrier behaves today: only what it did during the run is known',
  'who signed: only that it was the owner of the key; whether to trust that owner is decided elsewhere',
];

export function certificateWords(manifest: Manifest): CertificateWords {
  return {
    sentence: certifiedSentence(manifest),
    certified: certifiedSentences(manifest),
    notCertified: [...notCertifiedSentences(manifest), ...alwaysNotCertified],
    digests: digestLines(manifest),
  };
}
