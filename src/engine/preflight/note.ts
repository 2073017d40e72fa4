import type { Client, Target } from '../../model/target.ts';
import type { Problem } from '../../model/problem.ts';

export type Whose = 'configuration' | 'carrier' | 'network';

export interface Note {
  readonly check: string;
  /** Client, endpoint or URL that it concerns. */
  readonly about: string;
  readonly state: 'ok' | 'warning' | 'problem' | 'skipped';
  readonly description: string;
  /** Present for a warning or a problem. */
  readonly whose?: Whose;
  readonly change?: string;
  /** Place in the target file. */
  readonly place?: Problem;
}

/** Note before its probe's name is added. */
export type Found = Omit<Note, 'check'>;

/** Warning or problem; without `whose`, the target file has to change. */
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

/** Trial of a declaration of the target file with one registration, which its notes concern. */
export interface Trial<Ctx> {
  readonly about: string;
  readonly fits: (client: Client, target: Target) => boolean;
  /** Tag of the subscriber; default: consented. */
  readonly tag?: string;
  /** Throws Unmet and MissingValue if it cannot be tried. */
  readonly run: (ctx: Ctx) => Promise<readonly Found[]>;
}

/** Advice for a message or a code: the first matching pattern wins, an empty one matches all. */
export type Advice = readonly (readonly [matches: RegExp, whose: Whose, change: string])[];

export function adviceFor(text: string, rows: Advice): Pick<Trouble, 'whose' | 'change'> {
  const [, whose, change] = rows.find(([matches]) => matches.test(text)) ?? [undefined, 'carrier', ''];
  return { whose, change };
}
