/** Harm that a case may do at a carrier with real users. */
export interface RiskDefinition {
  /** Completes `the case`: why `--safe` leaves it out. */
  readonly does: string;
  /** Consequence for the carrier and its users. */
  readonly harms: string;
}

export const risks = ['strangers', 'floods', 'changes'] as const;
export type Risk = (typeof risks)[number];

/** Each risk, by the word that `--without` takes. */
export const riskTable: Readonly<Record<Risk, RiskDefinition>> = {
  strangers: {
    does: 'names a user who is no subscriber of the target file',
    harms:
      'A carrier that does not refuse the request pushes to a stranger, or discloses data about the stranger. The number or id may belong to a real person.',
  },
  floods: {
    does: 'sends many requests at a time, or a request that costs much to read',
    harms:
      'The carrier gets up to a hundred requests at once, large or deep bodies, bombs, and connections that stall.',
  },
  changes: {
    does: 'changes a registration or the keys of the carrier',
    harms:
      'A driver switches a flag of the SP, removes a key of the SP, or makes the carrier sign with a new key. If the undo fails, the change stays.',
  },
};

/** Word of `--without` for every risk; `--safe` means the same. */
export const unsafe = 'unsafe';

/** Word of `--without` for the cases that were made from tables. */
export const generatedWord = 'generated';

export const isRiskWord = (word: string): boolean => word === unsafe || risks.some((risk) => risk === word);

/** Risks that a word of `--without` leaves out; none for an area. */
export const risksOf = (word: string): readonly Risk[] =>
  word === unsafe ? risks : risks.filter((risk) => risk === word);

/** Phrases for the parts that `--without` left out, as `the area baseline` or `cases that …`. */
export function leftOutWords(without: readonly string[]): readonly string[] {
  const areas = without.filter((word) => !isRiskWord(word) && word !== generatedWord);
  const left = new Set(without.flatMap(risksOf));
  return [
    ...(without.includes(generatedWord) ? ['the generated cases of its rules'] : []),
    ...(areas.length === 0 ? [] : [`${areas.length === 1 ? 'the area' : 'the areas'} ${areas.join(', ')}`]),
    ...(left.size === 0 ? [] : [`rules with a case that is unfit for production (${[...left].join(', ')})`]),
  ];
}
