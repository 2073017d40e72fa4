/** Removes every occurrence of a flag and its value from a result header's flags. */
export const withoutFlag = (flags: readonly string[], name: string): readonly string[] =>
  flags.filter((_, at) => flags[at - (at % 2)] !== name);

/** Values of one flag in a result header, where each flag is followed by its value. */
export const flagValues = (flags: readonly string[], flag: string): readonly string[] =>
  flags.flatMap((value, at) => (at % 2 === 1 && flags[at - 1] === flag ? [value] : []));

/** Run flags that the result records, so that the run can be repeated. */
export const repeatedFlags = ['target', 'suites', 'without', 'fault', 'profile', 'order'] as const;

const runFlags: ReadonlySet<string> = new Set(repeatedFlags.map((name) => `--${name}`));

/** Drops flags that a run does not record; only an edited file has them. */
export const selectRunFlags = (flags: readonly string[]): readonly string[] =>
  flags.filter((_, at) => runFlags.has(flags[at - (at % 2)] ?? '') && (at % 2 === 1 || at + 1 < flags.length));
