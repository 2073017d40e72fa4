import type { HttpDriver } from '../../model/target.ts';
import { buildTemplate } from '../parts/templates.ts';

/** A driver that posts to a URL with values of the request and the subscriber; by default 200 means done. */
export const postTo = (url: string, meaning: Partial<HttpDriver> = {}): HttpDriver => ({
  kind: 'http',
  method: 'POST',
  url: buildTemplate(url, ['request', 'subscriber']),
  done: [200],
  impossible: [],
  env: {},
  ...meaning,
});
