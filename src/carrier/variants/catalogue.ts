import type { Variant } from '../faults/edit/define.ts';
import { responseVariants } from './responses.ts';
import { requestVariants } from './requests.ts';
import { serviceVariants } from './services.ts';

/** Every choice of the interface that the reference carrier can be given: all of them conform. */
export const variants: readonly Variant[] = [...requestVariants, ...responseVariants, ...serviceVariants];

export function variantNames(): string[] {
  return variants.map(({ name }) => name);
}
