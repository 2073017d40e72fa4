/** Flags as the header of a result keeps them, each with its value behind it, without those of one name. */
export const withoutFlag = (flags: readonly string[], name: string): readonly string[] =>
  flags.filter((_, at) => flags[at - (at % 2)] !== name);

/** The values of one flag in the header of a result, where each flag has its value behind it. */
export const flagValues = (flags: readonly string[], flag: string): readonly string[] =>
  flags.flatMap((value, at) => (at % 2 === 1 && flags[at - 1] === flag ? [value] : []));

/** Flags of a run that its result records, so that it can be repeated: the one list of them. */
export const repeatedFlags = ['target', 'suites', 'without', 'fault', 'profile', 'order'] as const;

const ofRuns: ReadonlySet<string> = new Set(repeatedFlags.map((name) => `--${name}`));

/** The flags that a run keeps in the header of its result; others, which only an edited file has, are left out. */
export const keptFlags = (flags: readonly string[]): readonly string[] =>
  flags.filter((_, at) => ofRuns.has(flags[at - (at % 2)] ?? '') && (at % 2 === 1 || at + 1 < flags.length));
