import { authorizeAs } from '../../../testing/calls.ts';
import { act, cardOf, idOf, type SequenceRow, subscriberOf } from './sequences.ts';

/** The faults of concurrency.ts. */
export const requestRaces: Readonly<Record<string, SequenceRow>> = {
  'same-object-twice-at-once': [
    async (setup) => {
      const body = { request: setup.sign(setup.claims({ jti: undefined })) };
      const answers = await Promise.all([setup.post(body), setup.post(body)]);
      return [...answers, await setup.post(body)].map(({ status }) => status).toSorted((a, b) => a - b);
    },
    [200, 400, 400],
    [200, 200, 400],
  ],
  'jti-locked-per-user': [
    async (setup) => {
      const more = { jti: 'the-same-one' };
      const ask = (subscriber: string) => authorizeAs(setup, { subscriber, more });
      const answers = await Promise.all([ask('first'), ask('first'), ask('second')]);
      return [...answers, await ask('third')].map(({ status }) => status).toSorted((a, b) => a - b);
    },
    [200, 400, 400, 400],
    [200, 200, 400, 400],
  ],
  'pending-counted-before-the-key': [
    async (setup) => {
      const answers = await Promise.all(Array.from({ length: 6 }, () => authorizeAs(setup, {})));
      return answers.filter(({ status }) => status === 200).length;
    },
    3,
    6,
    { variants: { maxPending: 3 } },
  ],
  'refusal-echo-of-the-request-at-once': [
    async (setup) => {
      const ask = (id: string) => setup.authorize({ correlation_id: id, iat: setup.now() - 400 });
      const answers = await Promise.all([ask('one'), ask('two')]);
      return new Set(answers.map(({ body }) => body['correlation_id'])).size;
    },
    2,
    1,
  ],
  'answer-echo-of-the-request-at-once': [
    async (setup) => {
      const ask = (id: string) => setup.authorize({ correlation_id: id });
      const answers = await Promise.all([ask('one'), ask('two')]);
      return new Set(answers.map(({ body }) => body['correlation_id'])).size;
    },
    2,
    1,
  ],
  'user-of-the-request-at-once': [
    async (setup) => {
      const answers = await Promise.all([authorizeAs(setup, {}), authorizeAs(setup, { subscriber: 'second' })]);
      return Promise.all(answers.map((answer) => subscriberOf(setup, idOf(answer)))).then((all) => new Set(all).size);
    },
    2,
    1,
  ],
  'context-of-the-request-at-once': [
    async (setup) => {
      const ask = (subscriber: string, context: string) => authorizeAs(setup, { subscriber, more: { context } });
      const answers = await Promise.all([ask('first', 'Approve-order-1'), ask('second', 'Approve-order-2')]);
      const cards = await Promise.all(answers.map((answer) => cardOf(setup, idOf(answer))));
      return new Set(cards.map(({ context }) => context)).size;
    },
    2,
    1,
  ],
  'state-of-the-request-at-once': [
    async (setup) => {
      const ask = (state: string) => authorizeAs(setup, { more: { state } });
      for (const answer of await Promise.all([ask('one'), ask('two')])) await act(setup, idOf(answer), 'deny');
      return new Set(setup.callbacks.map(({ body }) => body['state'])).size;
    },
    2,
    1,
  ],
  'bearer-of-the-request-at-once': [
    async (setup) => {
      const answers = await Promise.all([authorizeAs(setup, {}), authorizeAs(setup, { client: 'second' })]);
      for (const answer of answers) await act(setup, idOf(answer), 'approve');
      return new Set(setup.callbacks.map(({ headers }) => headers.authorization)).size;
    },
    2,
    1,
  ],
  'push-overwritten-by-one-at-once': [
    async (setup) => {
      const answers = await Promise.all([authorizeAs(setup, {}), authorizeAs(setup, {})]);
      const cards = await Promise.all(answers.map((answer) => cardOf(setup, idOf(answer))));
      return cards.filter(({ shown }) => shown === true).length;
    },
    2,
    1,
  ],
};
