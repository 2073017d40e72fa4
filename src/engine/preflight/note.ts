import type { Problem } from '../../model/problem.ts';

/** Who has to change something. */
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

type Found = Pick<Note, 'state' | 'description'> & Partial<Note>;

/** Notes of one check, without its name at each. */
export const notesOf = (check: string, found: readonly Found[]): readonly Note[] =>
  found.map((one) => ({ about: '', ...one, check }));

/** Things with the article that goes before them: `1 key`, `2 keys`. */
export const countOf = (count: number, thing: string): string => `${count} ${thing}${count === 1 ? '' : 's'}`;
