import { defined } from '../../lib/optional.ts';
import type { Delivery, RecordedMessage } from '../../model/exchange.ts';
import { markOf } from '../../report/html/marks.ts';
import type { Mark } from '../../report/html/message-view.ts';
import type { Inbound } from '../../wire/receive/receive.ts';
import type { Decoded } from '../decode/decoded.ts';

/** What of a delivery the page shows; secrets are out. */
interface Shown {
  readonly inbound: Pick<Inbound, 'method' | 'receivedAt'>;
  readonly target: string;
  readonly recorded: RecordedMessage;
  readonly decoded: Decoded | undefined;
  readonly answered: number;
  readonly stranger: boolean;
}

/** A message, then those inside it. */
const allOf = (decoded: Decoded | undefined): readonly Decoded[] =>
  decoded === undefined ? [] : [decoded, ...decoded.inside.flatMap((inner) => allOf(inner.decoded))];

/** A delivery as a run records it, with the first token that it is or carries. */
export function deliveryOf(
  { inbound, target, recorded, decoded, answered }: Omit<Shown, 'stranger'>,
  number: number,
): Delivery {
  const token = allOf(decoded).find(({ found }) => found.header !== undefined)?.found;
  const { header, claims } = token ?? {};
  return {
    id: `delivery#d${number}`,
    kind: 'delivery',
    receivedAt: inbound.receivedAt,
    method: inbound.method,
    target,
    request: recorded,
    answered,
    ...defined({ idToken: header === undefined || claims === undefined ? undefined : { header, claims } }),
  };
}

/** The rules that it breaks, as far as it shows them alone. */
export const marksOf = ({ decoded }: Pick<Shown, 'decoded'>): readonly Mark[] =>
  allOf(decoded).flatMap(({ findings }) => findings.map(markOf));

/** What happened, on one line: `POST /si/notify: answered 200, breaks CB-023`. */
export function lineOf(shown: Omit<Shown, 'recorded'>): string {
  const { inbound, target, decoded, answered, stranger } = shown;
  const rules = [...new Set(marksOf(shown).map(({ rule }) => rule))];
  const facts = [
    `answered ${answered}`,
    ...(stranger ? ['a stranger’s'] : []),
    ...(decoded === undefined ? ['no message that is known'] : []),
    ...(rules.length > 0 ? [`breaks ${rules.join(', ')}`] : []),
  ];
  return `${inbound.method} ${target}: ${facts.join(', ')}`;
}
