import { neutralVerbs } from '../engine/neutral-verbs.ts';
import { defineStepVerb } from '../engine/act/verb.ts';
import type { CaseContext, RunnableInterface } from '../engine/context/case-context.ts';
import { endpointUrl } from '../engine/context/endpoints.ts';
import { exchange, inTurn } from '../engine/context/exchange.ts';
import { openInbox, settleInbox } from '../engine/context/inbox.ts';
import { checksByName, defineCheck } from '../judge/check.ts';
import type { ResponseObservation } from '../judge/observation.ts';
import { textMemberOf } from '../lib/json.ts';
import type { Endpoint, Timing } from '../model/interface.ts';
import { members } from '../suite/grammar/grammar.ts';
import { values } from '../suite/grammar/shared.ts';
import type { Step } from '../suite/suites.ts';
import { type ActOf, defineVerb, describeMap, exchangeMembers } from '../suite/verbs/define.ts';

const definition = defineVerb({
  verb: 'order',
  description: 'Send an order with these members.',
  value: values('Members of the order.'),
  keys: {},
  outcomes: ['accepted', 'denied'],
  expectations: ['status'],
  members: [...exchangeMembers, 'reference'],
  makes: ['request'],
  compile: ({ value }) => ({ members: value }),
  describe: ({ members: sent }, show) => ({ act: 'an order is sent', details: describeMap('', sent, show) }),
});

type Order = ActOf<typeof definition>;

async function run(act: Order, { name: step }: Step, ctx: CaseContext): Promise<ResponseObservation> {
  const url = endpointUrl('orders', ctx.world);
  const scope = ctx.scope();
  const sent = Object.fromEntries(act.members.map(([name, value]) => [name, value.evaluate(scope)]));
  const inbox = openInbox(ctx, step, ctx.world.interface.correlation.ofRequest(sent));
  const callback = ['x-callback', `${ctx.world.receiver}/orders`] as const;
  const headers = [['content-type', 'application/json'] as const, callback];
  const http = { method: 'POST', url, headers, body: JSON.stringify(sent) };
  const order = { step, purpose: 'order', http, differences: [], client: ctx.client.name };
  const response = await inTurn(ctx, () => exchange(order, ctx));
  settleInbox(inbox, response);
  const seen = { ...response, reference: sent['reference'] };
  return seen;
}

/** A shop answers at once, and calls back at once: nothing is observed for long. */
const timing: Timing = {
  longestLife: 1,
  usualLife: 1,
  objectLife: 1,
  slowestResponse: 1,
  retriesAfter: 1,
  longestWatch: 1,
  watchAfter: 0,
  watchAfterResult: 0,
  coolDown: 0,
};

const endpoints = { orders: { members: [] }, status: { members: [] } } satisfies Readonly<Record<string, Endpoint>>;

/** A tiny interface that has nothing in common with the one that ships: what runs it knows neither. */
export const shopInterface: RunnableInterface = {
  id: 'orders',
  version: '1',
  clauses: [
    ['1', 'Orders'],
    ['2', 'Status'],
    ['3', 'Callback'],
  ],
  areas: [{ name: 'orders', families: ['ORD'] }],
  discovery: { path: '', query: () => ({}), isConfiguration: () => false },
  endpoints,
  actions: [],
  eventKinds: {},
  verbs: [defineStepVerb(definition, { run }), ...neutralVerbs({ actions: [], endpoints, eventKinds: {} })],
  difference: members({}, { title: 'a difference' }),
  validRequest: () => ({ verb: 'order' }),
  requestEndpoint: 'orders',
  requestId: 'order',
  refuses: () => undefined,
  checks: checksByName([
    defineCheck('json', (message) =>
      'body' in message && message.body !== undefined ? [] : [{ expected: 'the body is JSON', actual: null }],
    ),
  ]),
  baseFiles: {},
  messages: {
    meant: (body) => body,
    hasRequestId: (body) => textMemberOf(body, 'order') !== undefined,
    askedSeconds: () => undefined,
    grantedSeconds: () => undefined,
    tokenIn: () => undefined,
    callbackKind: () => ({ tokens: false, error: false }),
    plannedCallback: {},
    describeRequest: () => undefined,
    partiesOf: () => ({}),
  },
  correlation: {
    order: ['order'],
    ofRequest: () => ({}),
    ofResponse: orderIn,
    ofCallback: orderIn,
  },
  timing,
  secretMembers: new Set(),
  featureSigns: {},
  targetRequirements: new Set(),
  roles: {},
  refusalHints: [],
  cardFields: {},
};

function orderIn(body: Parameters<typeof textMemberOf>[0]): Record<string, string> {
  const order = textMemberOf(body, 'order');
  return order === undefined ? {} : { order };
}
