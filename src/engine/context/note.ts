import type { Client, Target } from '../../model/target.ts';
import type { Problem } from '../../model/problem.ts';

export type Blame = 'configuration' | 'carrier' | 'network';

export interface PreflightNote {
  readonly check: string;
  /** Client, endpoint or URL that it concerns. */
  readonly about: string;
  readonly state: 'ok' | 'warning' | 'problem' | 'skipped';
  readonly description: string;
  /** Present for a warning or a problem. */
  readonly whose?: Blame;
  readonly change?: string;
  /** Place in the target file. */
  readonly place?: Problem;
}

/** Note before its probe's name is added. */
export type ProbeNote = Omit<PreflightNote, 'check'>;

/** Warning or problem; without `whose`, the target file has to change. */
interface NoteTrouble extends Pick<PreflightNote, 'description' | 'place'> {
  readonly whose?: Blame;
  readonly change: string;
}

export const okNote = (about: string, description: string): ProbeNote => ({ about, state: 'ok', description });

export const skippedNote = (about: string, description: string): ProbeNote => ({
  about,
  state: 'skipped',
  description,
});

export const problemNote = (about: string, { whose = 'configuration', ...trouble }: NoteTrouble): ProbeNote => ({
  about,
  state: 'problem',
  whose,
  ...trouble,
});

export const warningNote = (about: string, trouble: NoteTrouble): ProbeNote => ({
  ...problemNote(about, trouble),
  state: 'warning',
});

/** Trial of a declaration of the target file with one registration, which its notes concern. */
export interface DeclarationTrial<Ctx> {
  readonly about: string;
  readonly fits: (client: Client, target: Target) => boolean;
  /** Tag of the subscriber; default: consented. */
  readonly tag?: string;
  /** Throws Unmet and MissingValue if it cannot be tried. */
  readonly run: (ctx: Ctx) => Promise<readonly ProbeNote[]>;
}

export type Advice = Pick<NoteTrouble, 'whose' | 'change'>;
