import { countOf } from '../../lib/lists.ts';
import type { Delivery } from '../../model/exchange.ts';
import type { Result } from '../../model/result.ts';

/** Deliveries that no case asked for: what the carrier sent, and what nothing shows to be the carrier's. */
export interface Unsolicited {
  /** What the carrier sent, first. */
  readonly deliveries: readonly Delivery[];
  /** One clause for each of the two. */
  readonly words: string;
}

const many = (count: number): string => countOf(count, 'delivery', 'deliveries');

export const strangerWords = (count: number): string =>
  `${many(count)} that nothing shows to be the carrier's, and no rule is judged by`;

/** Undefined where there was none. */
export function unsolicitedOf({
  unsolicited,
  footer,
}: Pick<Result, 'unsolicited' | 'footer'>): Unsolicited | undefined {
  const [own, others] = [false, true].map((is) => unsolicited.filter(({ stranger = false }) => stranger === is));
  const strangers = Math.max(footer?.strangers ?? 0, others?.length ?? 0);
  const carriers = own?.length ?? 0;
  const words = [
    ...(carriers > 0 ? [`${many(carriers)} that no case asked for`] : []),
    ...(strangers > 0 ? [strangerWords(strangers)] : []),
  ];
  return words.length === 0 ? undefined : { deliveries: [...(own ?? []), ...(others ?? [])], words: words.join(', ') };
}
