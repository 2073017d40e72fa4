import type { Client, Target } from '../../model/target.ts';
import type { Problem } from '../../model/problem.ts';

export type Whose = 'configuration' | 'carrier' | 'network';

export interface Note {
  readonly check: string;
  /** The client, the endpoint or the URL it is about. */
  readonly about: string;
  readonly state: 'ok' | 'warning' | 'problem' | 'skipped';
  readonly description: string;
  /** Of a warning or a problem. */
  readonly whose?: Whose;
  readonly change?: string;
  /** In the target file. */
  readonly place?: Problem;
}

/** A note before its probe's name is added. */
export type Found = Omit<Note, 'check'>;

/** A warning or a problem; without `whose`, the target file has to be changed. */
interface Trouble extends Pick<Note, 'description' | 'place'> {
  readonly whose?: Whose;
  readonly change: string;
}

export const ok = (about: string, description: string): Found => ({ about, state: 'ok', description });

export const skipped = (about: string, description: string): Found => ({ about, state: 'skipped', description });

export const problem = (about: string, { whose = 'configuration', ...trouble }: Trouble): Found => ({
  about,
  state: 'problem',
  whose,
  ...trouble,
});

export const warning = (about: string, trouble: Trouble): Found => ({ ...problem(about, trouble), state: 'warning' });

/** Something of the target file that can be tried with one registration. Its notes are about the registration. */
export interface Trial<Ctx> {
  readonly about: string;
  readonly fits: (client: Client, target: Target) => boolean;
  /** Of the subscriber; consented unless said. */
  readonly tag?: string;
  /** Throws Unmet and MissingValue where it cannot be tried. */
  readonly run: (ctx: Ctx) => Promise<readonly Found[]>;
}

/** Rows of advice for a message or a code: the first pattern that matches it wins, an empty one matches any. */
export type Advice = readonly (readonly [matches: RegExp, whose: Whose, change: string])[];

export function adviceFor(text: string, rows: Advice): Pick<Trouble, 'whose' | 'change'> {
  const [, whose, change] = rows.find(([matches]) => matches.test(text)) ?? [undefined, 'carrier', ''];
  return { whose, change };
}
