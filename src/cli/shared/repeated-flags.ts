/** The flags of a run that a result keeps, so that the same carrier can be asked again with the same suites. */
export interface RepeatedFlags {
  readonly target?: string;
  readonly suites: readonly string[];
  readonly without: readonly string[];
  readonly fault: readonly string[];
}

const repeated = (flag: string, values: readonly string[]): readonly string[] =>
  values.flatMap((value) => [flag, value]);

/** As the header of a result keeps them: each flag with its value behind it. */
export function renderFlags({ target, suites, without, fault }: RepeatedFlags): readonly string[] {
  return [
    ...repeated('--target', target === undefined ? [] : [target]),
    ...repeated('--suites', suites),
    ...repeated('--without', without),
    ...repeated('--fault', fault),
  ];
}

/** The values of one flag in the header of a result. */
export const valuesOf = (flags: readonly string[], flag: string): readonly string[] =>
  flags.flatMap((value, at) => (at % 2 === 1 && flags[at - 1] === flag ? [value] : []));

export function parseFlags(flags: readonly string[]): RepeatedFlags {
  const [target] = valuesOf(flags, '--target');
  return {
    ...(target === undefined ? {} : { target }),
    suites: valuesOf(flags, '--suites'),
    without: valuesOf(flags, '--without'),
    fault: valuesOf(flags, '--fault'),
  };
}
