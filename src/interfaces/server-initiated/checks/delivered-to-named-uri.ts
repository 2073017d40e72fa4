import { defineCheck } from '../../../judge/check.ts';
import { deliveriesOf } from './deliveries-of.ts';
import { claimText } from './words.ts';

/** §4.2, §9.2: a POST whose request target is the notification_uri of the request, byte for byte. */
export const deliveredToNamedUri = defineCheck((observation) =>
  deliveriesOf(observation).flatMap(({ method, target, sent }) => {
    const uri = claimText(sent.claims, 'notification_uri');
    if (uri === undefined || !URL.canParse(uri)) return [];
    const wanted = uri.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, '').replace(/#.*$/, '') || '/';
    if (method === 'POST' && target === wanted) return [];
    return [{ path: 'target', expected: `POST ${wanted}`, actual: `${method} ${target}` }];
  }),
);
