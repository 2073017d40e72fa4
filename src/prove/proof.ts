import type { Verdict } from '../model/verdict.ts';

/** What became of a fault: the declared rules turned and no others; others turned; nothing did; nothing used it. */
export type FaultStatus = 'killed' | 'misattributed' | 'silent' | 'dead';
/** What became of a variant: every rule stands as on the clean carrier, or one turned. */
export type VariantStatus = 'allowed' | 'refused';

/** A defect, or an allowed variant, as the catalogue of the reference carrier declares it. */
export interface Subject {
  readonly name: string;
  readonly kind: 'fault' | 'variant';
  readonly description: string;
  /** Rules that must turn to fail or warn; none for a variant. */
  readonly breaks: readonly string[];
  /** Rules that can no longer be judged, because what their cases need does not work. */
  readonly masks: readonly string[] | 'what follows';
  /** Cases meet through it, and run one after the other. */
  readonly stateful?: true;
  /** What the target file says of it under `supports`. */
  readonly declares?: Readonly<Record<string, boolean>>;
}

/** One line of the matrix. */
export interface Proof {
  readonly name: string;
  readonly kind: Subject['kind'];
  readonly status: FaultStatus | VariantStatus;
  /** Every rule whose verdict differs from the clean carrier's. */
  readonly turned: Readonly<Record<string, Verdict>>;
  /** Cases that turned red, by their names without rows. */
  readonly red: readonly string[];
  /** What is wrong, in words; empty where all is as declared. */
  readonly wrong: readonly string[];
  /** Cases that ran again, of all. */
  readonly ran: number;
  readonly of: number;
}

export const isRed = (verdict: Verdict | undefined): boolean => verdict === 'fail' || verdict === 'warn';

export function isProved({ status, wrong }: Proof): boolean {
  return (status === 'killed' || status === 'allowed') && wrong.length === 0;
}
