import { listIds } from '../lib/lists.ts';
import type { Headline } from '../model/result.ts';
import { headlineLine, makeHeadline, isPartial, type VerdictScope } from '../verdict/headline.ts';
import { leftOutWords } from '../model/risk.ts';
import { peopleWords } from '../model/person-act.ts';
import { type Score, verdictOrder } from '../model/rule.ts';
import type { Manifest } from './manifest.ts';

/** Claims of a certificate, and their limits, one sentence each. Names and reasons in them are hostile input. */
interface CertificateWords {
  readonly title: string;
  readonly certified: readonly string[];
  readonly notCertified: readonly string[];
}

const countNouns = (number: number, one: string, many = `${one}s`): string => `${number} ${number === 1 ? one : many}`;
const scoreFraction = ({ conforming, judged, applicable }: Score): string =>
  `${conforming}/${judged} of ${applicable} applicable`;

const foldRuleIds = (ids: readonly string[]): string => listIds(ids, 8);

const certificateScope = ({ run, carrier, clock, certificationProfile, named }: Manifest): VerdictScope => ({
  isPartial: isPartial(run),
  profile: certificationProfile,
  testCarrier: carrier.testCarrier,
  clock: clock.kind,
  named,
});

export const certifiedHeadline = (manifest: Manifest): Headline => makeHeadline(manifest, certificateScope(manifest));

function certifiedSentences(manifest: Manifest): readonly string[] {
  const { carrier, run, score, counts, result, suites, tool, attested, recorded, clock, declarations, people } =
    manifest;
  const verdicts = verdictOrder.toReversed().filter((verdict) => counts[verdict] > 0);
  const values = Object.values(recorded).reduce((sum, one) => sum + Object.keys(one).length, 0);
  const what = carrier.testCarrier ? 'the test carrier' : 'the carrier';
  return [
    `the interface: ${manifest.interface.id} ${manifest.interface.version}`,
    `${what} "${carrier.name}" (${carrier.issuer}) was found ${certifiedHeadline(manifest).words} in run ${run.id}, from ${run.startedAt} to ${run.endedAt}, ${clock.kind === 'real' ? 'in real time' : 'on the virtual clock'}`,
    ...(declarations.length === 0
      ? []
      : [`the target file declares: ${declarations.map(({ words }) => words).join('; ')}`]),
    `required rules: ${scoreFraction(score.required)}; recommended: ${scoreFraction(score.recommended)}; informational: ${scoreFraction(score.informational)}`,
    `${countNouns(Object.keys(manifest.verdicts).length, 'rule')}: ${verdicts.map((verdict) => `${counts[verdict]} ${verdict}`).join(', ')}`,
    `recorded of what the interface leaves open: ${countNouns(values, 'value')} of ${countNouns(Object.keys(recorded).length, 'rule')}`,
    ...(attested.length === 0
      ? []
      : [
          `attested by the operator, with evidence, and counted as no pass: ${foldRuleIds(attested.map(({ rule }) => rule))}`,
        ]),
    ...(people === undefined ? [] : [`${peopleWords(people)}; on them rest verdicts on ${foldRuleIds(people.rules)}`]),
    `the result: ${result.digest}, ${countNouns(result.bytes, 'byte')}, ${countNouns(result.cases, 'case')}`,
    `the rules: ${suites.rules}; the suites: ${suites.suites}; the target file: ${carrier.fingerprint}`,
    `carrierspec ${tool.version} on Node ${tool.node}; the program that signed: ${tool.digest}`,
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
  const { notJudged, expectedFailures, verdicts, outcome, apart } = manifest;
  const warned = Object.keys(verdicts).filter((id) => verdicts[id] === 'warn');
  const broken = Object.keys(verdicts).filter((id) => verdicts[id] === 'fail');
  const failed = broken.filter((id) => !apart.includes(id));
  const apartFailed = broken.filter((id) => apart.includes(id));
  return [
    ...(outcome === 'conformant' ? [] : [`these required rules are broken: ${foldRuleIds(failed)}`]),
    ...runLimitations(manifest),
    ...(apartFailed.length === 0
      ? []
      : [
          `these required rules of the baseline are broken, which the profile does not count: ${foldRuleIds(apartFailed)}`,
        ]),
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
    title: headlineLine(certifiedHeadline(manifest)),
    certified: certifiedSentences(manifest),
    notCertified: [...notCertifiedSentences(manifest), ...alwaysNotCertified],
  };
}
