import { answerVariants } from './answers.ts';
import type { Variant } from '../faults/edit/variant.ts';
import { requestVariants } from './requests.ts';
import { serviceVariants } from './services.ts';

/** Every choice of the interface that the reference carrier can be given: all of them conform. */
export const variants: readonly Variant[] = [...requestVariants, ...answerVariants, ...serviceVariants];

export function variantNames(): string[] {
  return variants.map(({ name }) => name);
}
