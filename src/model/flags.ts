/** Flags as the header of a result keeps them, each with its value behind it, without those of one name. */
export const withoutFlag = (flags: readonly string[], name: string): readonly string[] =>
  flags.filter((_, at) => flags[at - (at % 2)] !== name);
