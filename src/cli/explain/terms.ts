import { verdictLegend } from '../../report/shared/prose.ts';
import type { CatalogueEntry, EntryKind } from './catalogue.ts';

/** Words of reports and messages, each with its meaning and its page of the docs. */
const terms: Readonly<Record<string, readonly [meaning: string, page: string]>> = {
  applicable: ['A rule is applicable if the carrier has what it is about, as its target file declares.', 'report.md'],
  aspect: [
    'A part of a rule with a level of its own, named RULE#aspect: a required rule may have a recommended aspect.',
    'suite-language.md',
  ],
  baseline: [
    'Rules of good practice that no clause of the interface states, such as those of the JWT standards.',
    'running.md',
  ],
  broken: [
    'A rule is broken if a finding against it stands and the rule counts: it makes the run not conformant.',
    'running.md',
  ],
  conformant: ['Every rule that counts in the profile and was judged is kept.', 'commands.md'],
  conforming: [
    'A rule is conforming if it was judged and nothing was found against it; scores count conforming of judged of applicable rules.',
    'report.md',
  ],
  control: [
    'A step that must succeed before the step under test means anything: the same request, right in the one property under test.',
    'suite-language.md',
  ],
  critical: ['A rule of the baseline whose breach breaks authentication: it counts in every profile.', 'running.md'],
  declared: [
    'The target file says it of the carrier, such as a feature it lacks: what is declared is believed, and shown in every report.',
    'target-file.md',
  ],
  driver: [
    'How a run has something done at the carrier, such as an approval: an HTTP call, a program, a module, or a person who is asked.',
    'target-file.md',
  ],
  expected: [
    'A rule is broken as expected if an entry of expected.yaml accounts for each finding against it, with a reason and a last day.',
    'running.md',
  ],
  follows: ['A finding against a rule follows from another broken rule, which is counted in its place.', 'running.md'],
  hardened: [
    'The profile in which every rule of the baseline counts beside the required rules of the interface.',
    'running.md',
  ],
  incomplete: [
    'Nothing broken was found, but not every required rule that was selected could be judged: exit code 4.',
    'commands.md',
  ],
  invariant: [
    'A condition that holds for every message of a kind, whichever case it was sent or received in.',
    'suite-language.md',
  ],
  judged: ['A rule is judged if a case or an invariant came to a verdict on it.', 'report.md'],
  kept: ['A rule is kept if it was judged and nothing was found against it.', 'report.md'],
  'not-followed': [
    'A recommendation is not followed: the carrier does otherwise. It changes the outcome in the profile strict only.',
    'running.md',
  ],
  'not-judged': [
    'A rule has no verdict: no case or invariant on it could be carried out to its end. The reason stands beside it.',
    'running.md',
  ],
  outcome: [
    'How a request or a run came out: of a request, such as denied or accepted; of a run, such as conformant or incomplete.',
    'commands.md',
  ],
  profile: ['The choice of the rules that count for the outcome: interface, hardened or strict.', 'running.md'],
  recommended: [
    'The interface says should or generally: a carrier that does otherwise does not follow it, and conforms.',
    'commands.md',
  ],
  required: ['The interface says must, or states it: a carrier that does otherwise does not conform.', 'commands.md'],
  'seen-once': ['There was no second try of a finding, and the reason stands beside it.', 'running.md'],
  'seen-twice': [
    'A second try showed the same finding again, with the plain request accepted in between.',
    'running.md',
  ],
  strict: [
    'The profile in which recommended rules count like required ones, beside all of the baseline.',
    'running.md',
  ],
  unasked: [
    'A delivery came that no case asked for: it is shown, and held against the carrier by no rule.',
    'report.md',
  ],
  uncounted: ['A rule is broken, and the profile does not count it: the outcome stays as it is.', 'running.md'],
  unstable: ['A finding was seen in one of two tries: it is a warning, and breaks no rule.', 'running.md'],
};

const aliases: Readonly<Record<string, readonly string[]>> = {
  'not-followed': ['not followed'],
  'not-judged': ['not judged'],
  'seen-once': ['seen once'],
  'seen-twice': ['seen twice', 'confirmed'],
  unasked: ['unsolicited'],
};

const toTerm = (name: string, [meaning, page]: readonly [string, string]): CatalogueEntry => ({
  name,
  aliases: aliases[name] ?? [],
  description: meaning,
  is: 'a word of reports',
  facts: () => [['more', `docs/${page}`]],
});

/** Words of reports: the verdicts with their legend, then the others. */
export const termKind: EntryKind = () => [
  ...Object.entries(verdictLegend).map(([verdict, legend]) => ({
    name: verdict,
    description: legend,
    is: 'a verdict',
    facts: () => [['more', 'docs/report.md'] as const],
  })),
  ...Object.entries(terms).map(([name, one]) => toTerm(name, one)),
];
