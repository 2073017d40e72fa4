/** A carrier by its target file, which `env` fills in; without `env`, the environment of the process does. */
export interface TargetFile {
  readonly file: string;
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
}

/** The embedded reference carrier with these faults, on a virtual clock: a whole run takes seconds, and reaches no network. */
export interface EmbeddedTarget {
  readonly faults: readonly string[];
}

/** Who is certified: the path of a target file, a target file with its environment, or the embedded reference carrier. */
export type TargetChoice = string | TargetFile | EmbeddedTarget;
