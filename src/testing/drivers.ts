import type { HttpDriver } from '../model/target.ts';
import { template } from './templates.ts';

/** A driver that posts to a URL, which may speak of the request and the subscriber; 200 means done unless said otherwise. */
export const postTo = (url: string, meaning: Partial<HttpDriver> = {}): HttpDriver => ({
  kind: 'http',
  method: 'POST',
  url: template(url, ['request', 'subscriber']),
  done: [200],
  impossible: [],
  env: {},
  ...meaning,
});
