import { countNoun } from '../../lib/lists.ts';
import { type Risk, risks, risksOf, riskTable, unsafe } from '../../model/risk.ts';
import { caseRuleIds, type Suites } from '../../suite/suites.ts';
import { riskyCases } from '../shared/choose.ts';
import { matrixIds, type EntryFact, type EntryKind } from './catalogue.ts';

/** Cases that `--without` of these risks leaves out, and the number of required rules that keep all of their cases. */
function leftOutFacts(suites: Suites, left: readonly Risk[]): readonly EntryFact[] {
  const out = [...riskyCases(suites, new Set(left)).keys()];
  const open = new Set(out.flatMap((given) => [...caseRuleIds(given)]));
  const required = suites.rules.filter(({ level }) => level === 'required');
  const kept = required.filter(({ id }) => !open.has(id)).length;
  return [
    ['leaves out', `${out.length} of ${countNoun(suites.cases.length, 'case')}`],
    ['cases', matrixIds(out)],
    [
      'rules',
      `${kept} of ${countNoun(required.length, 'required rule')} keep all of their cases; the others get no verdict`,
    ],
  ];
}

const riskEntry = (risk: Risk, suites: Suites, flags: string) => ({
  name: risk,
  description: `the case ${riskTable[risk].does}`,
  is: 'a risk for a carrier in production, and a word of --without',
  facts: (): readonly EntryFact[] => [
    ['harms', riskTable[risk].harms],
    ...leftOutFacts(suites, [risk]),
    ['without it', `carrierspec run --without ${risk} --target carrier.yaml${flags}`],
  ],
});

/** Risks of cases, and all of them together. */
export const riskKind: EntryKind = ({ suites, flags }) => [
  {
    name: unsafe,
    aliases: ['safe'],
    description: 'every case that is unfit for a carrier in production',
    is: 'a word of --without; --safe means the same',
    facts: () => [
      ...risks.map((risk): EntryFact => [risk, `the case ${riskTable[risk].does}. ${riskTable[risk].harms}`]),
      ...leftOutFacts(suites, risksOf(unsafe)),
      ['plan it', `carrierspec plan --safe --target carrier.yaml${flags}`],
      ['run it', `carrierspec run --safe --target carrier.yaml${flags}`],
      ['more', 'docs/running.md'],
    ],
  },
  ...risks.map((risk) => riskEntry(risk, suites, flags)),
];
