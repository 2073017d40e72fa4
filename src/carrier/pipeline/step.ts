/** One protocol check; it leaves by a Refusal where the request breaks it. */
export interface Check<C> {
  readonly name: string;
  readonly run: (context: C) => void;
}

export function check<C>(name: string, run: (context: C) => void): Check<C> {
  return { name, run };
}

/** The step between two groups of checks: it finds what the next group needs. */
export interface Reader<C, More> {
  readonly name: string;
  readonly read: (context: C) => More;
}

export function reader<C, More>(name: string, read: (context: C) => More): Reader<C, More> {
  return { name, read };
}

export function runChecks<C>(checks: readonly Check<C>[], context: C): void {
  for (const { run } of checks) run(context);
}
