import { countOf, listFolded } from '../../lib/lists.ts';
import { endingOf } from '../../model/ending.ts';
import type { Result, RuleResult } from '../../model/result.ts';

type Said = Pick<Result, 'header' | 'footer' | 'rules'>;

const isBroken = ({ verdict, apart }: RuleResult): boolean => verdict === 'fail' && apart !== true;

/** Required rules that apply and were not judged. */
function openOf({ footer }: Said): number {
  const { applicable, judged } = footer?.score.required ?? { applicable: 0, judged: 0 };
  return applicable - judged;
}

const areasOf = (rules: readonly RuleResult[]): string => listFolded([...new Set(rules.map(({ area }) => area))], 4);

/** What a reader who decides may not take the verdict for. */
function limitOf(said: Said): string {
  const open = openOf(said);
  const rest =
    open === 0
      ? ''
      : `, and ${countOf(open, 'required rule')} without a verdict ${open === 1 ? 'is' : 'are'} no part of that`;
  if (said.header.clock.kind === 'virtual')
    return `The clocks were driven, so this speaks for a test carrier only${rest}.`;
  if (open === 0) return 'Every required rule that applies was judged.';
  return `${countOf(open, 'required rule')} without a verdict ${open === 1 ? 'is' : 'are'} no part of that: ${open === 1 ? 'it is' : 'they are'} named under “Not judged”.`;
}

const partOf = ({ header }: Said): string => {
  const { selection, shard } = header;
  if (shard !== undefined) return 'It is one part of a run on several machines.';
  return selection.length === 0 ? '' : 'Only a part of the rules was selected: this says nothing about the others.';
};

function conformantMeaning(said: Said): readonly string[] {
  return [
    'Where it was judged, the carrier does what the interface requires: a service provider that keeps to the interface gets what it is promised.',
    partOf(said) || limitOf(said),
  ];
}

function brokenMeaning(said: Said, after: string): readonly string[] {
  const broken = said.rules.filter(isBroken);
  const where = broken.length === 0 ? '' : ` (${areasOf(broken)})`;
  return [
    `In ${countOf(broken.length, 'rule')}${where} the carrier does something other than the interface requires, and a service provider that relies on it does not get what it is promised.`,
    after,
  ];
}

function incompleteMeaning(said: Said): readonly string[] {
  const { judged, applicable } = said.footer?.score.required ?? { judged: 0, applicable: 0 };
  return [
    `This is no verdict on the carrier, neither good nor bad: of ${countOf(applicable, 'required rule')} that ${applicable === 1 ? 'applies' : 'apply'}, ${judged} ${judged === 1 ? 'was' : 'were'} judged.`,
    'What is missing, and why, stands under “Not judged”; a run of those cases alone can be laid over this one with “carrierspec merge --replace”.',
  ];
}

const cutOffMeaning: readonly string[] = [
  'This is no verdict on the carrier: the run was cut off before it could conclude.',
  'It can go on where it stopped, with “carrierspec run --resume”.',
];

/** What the outcome means for those who decide, in two sentences; it adds nothing to what was judged. */
export function meaningOf(said: Said): readonly string[] {
  if (said.footer === undefined) return cutOffMeaning;
  const { outcome } = said.footer;
  if (outcome === 'conformant') return conformantMeaning(said);
  if (outcome === 'incomplete') return incompleteMeaning(said);
  const isKnown = endingOf({ footer: said.footer, rules: said.rules }) === 'expected';
  return brokenMeaning(
    said,
    isKnown
      ? 'Each of these is known and expected until a date; that tolerates it in a build, and certifies nothing.'
      : 'It cannot be certified like this; each broken rule has its evidence below, and the command that shows it again.',
  );
}
