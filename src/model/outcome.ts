interface OutcomeDefinition {
  /** Behaviour of the carrier (docs/suite-language.md). */
  readonly description: string;
  /** Proves nothing unless a control was accepted: the same request, correct in the property under test. */
  readonly wantsControl?: true;
}

const defineOutcome = (definition: OutcomeDefinition): OutcomeDefinition => definition;

/** Outcomes that a suite can name. Each verb defines which ones its steps may have. */
export const outcomeTable = {
  accepted: defineOutcome({ description: 'HTTP 200 and a pending request' }),
  denied: defineOutcome({ description: 'a 4xx response, and no callback arrives for the request', wantsControl: true }),
  'denied-or-dropped': defineOutcome({
    description: 'a 4xx response, a closed connection, or no push and no tokens even when approved',
    wantsControl: true,
  }),
  'at-most-one': defineOutcome({
    description: 'at most one of the repetitions is accepted and brings what it asks for',
  }),
  answered: defineOutcome({ description: 'any response below 500, in time' }),
  completed: defineOutcome({ description: 'a callback with tokens' }),
  failed: defineOutcome({ description: 'a callback with an error' }),
  result: defineOutcome({ description: 'a callback, where the request was accepted' }),
  'no-tokens': defineOutcome({ description: 'no callback, or one with an error', wantsControl: true }),
  'no-error': defineOutcome({ description: 'no callback, or one without an error', wantsControl: true }),
  silence: defineOutcome({ description: 'nothing delivered', wantsControl: true }),
  delivered: defineOutcome({ description: 'at least one delivery' }),
};

export type Outcome = keyof typeof outcomeTable;

const isOutcome = (name: string): name is Outcome => Object.hasOwn(outcomeTable, name);

export const outcomes: readonly Outcome[] = Object.keys(outcomeTable).filter(isOutcome);

export const needsControl = (outcome: Outcome): boolean => outcomeTable[outcome].wantsControl === true;
