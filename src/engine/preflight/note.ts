import type { Client, Target } from '../../model/target.ts';
import type { Problem } from '../../model/problem.ts';

/** What has to be changed. */
export type Whose = 'configuration' | 'carrier' | 'network';

/** What a check found of one thing. */
export interface Note {
  readonly check: string;
  /** The client, the endpoint or the URL it is about. */
  readonly about: string;
  readonly state: 'ok' | 'warning' | 'problem' | 'skipped';
  readonly description: string;
  /** Of a warning or a problem. */
  readonly whose?: Whose;
  /** What to change. */
  readonly change?: string;
  /** In the target file. */
  readonly place?: Problem;
}

/** A note before it is known of which check. */
export type Found = Omit<Note, 'check'>;

export const ok = (about: string, description: string): Found => ({ about, state: 'ok', description });

export const skipped = (about: string, description: string): Found => ({ about, state: 'skipped', description });

type Trouble = Required<Pick<Note, 'whose' | 'description' | 'change'>>;

export const problem = (about: string, trouble: Trouble): Found => ({ about, state: 'problem', ...trouble });

export const warning = (about: string, trouble: Trouble): Found => ({ about, state: 'warning', ...trouble });

/** Something of the target file that can be tried with one registration. Its notes are about the registration. */
export interface Trial<Ctx> {
  readonly about: string;
  readonly fits: (client: Client, target: Target) => boolean;
  /** Of the subscriber; consented unless said. */
  readonly tag?: string;
  /** Throws Unmet and MissingValue where it cannot be tried. */
  readonly run: (ctx: Ctx) => Promise<readonly Found[]>;
}

/** What to change where a message or a code matches. */
export interface Advice extends Pick<Trouble, 'whose' | 'change'> {
  readonly matches: RegExp;
}

/** The first advice that matches. */
export function adviceFor(text: string, table: readonly Advice[], otherwise: Omit<Advice, 'matches'>) {
  const { whose, change } = table.find(({ matches }) => matches.test(text)) ?? otherwise;
  return { whose, change };
}

/** Notes of one check. */
export const notesOf = (check: string, found: readonly Found[]): readonly Note[] =>
  found.map((one) => ({ ...one, check }));
