import { answerVariants } from './variants/answers.ts';
import type { Variant } from './variants/define.ts';
import { requestVariants } from './variants/requests.ts';
import { serviceVariants } from './variants/services.ts';

/** Every choice of the interface that the reference carrier can be given: all of them conform. */
export const variants: readonly Variant[] = [...requestVariants, ...answerVariants, ...serviceVariants];

export function variantNames(): string[] {
  return variants.map(({ name }) => name);
}
