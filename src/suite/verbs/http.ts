import { omitUndefined } from '../../lib/json.ts';
import type { Action } from '../../model/action.ts';
import type { Endpoint, Interface } from '../../model/interface.ts';
import type { HttpAct } from '../../model/suite.ts';
import { members, word } from '../grammar/grammar.ts';
import {
  httpHeaders,
  httpMethod,
  templateShape,
  templateText,
  values,
  durationShape,
} from '../grammar/common-shapes.ts';
import {
  type ActDescription,
  type AnyAct,
  defineVerb,
  describeMap,
  describeTemplate,
  type ShowValue,
  exchangeMembers,
  repeatKeys,
} from './verb.ts';

type HttpEndpoints = Interface['endpoints'];

const requestShape = (endpoints: HttpEndpoints) =>
  members(
    {
      to: word(Object.keys(endpoints), { description: 'An endpoint of the target.' }),
      method: httpMethod('POST where there is a body, else GET, unless said.'),
      path: templateText("Text after the endpoint's URL."),
      query: values('Query parameters.'),
      headers: httpHeaders,
      json: templateShape({ description: 'A JSON body.' }),
      form: values('A form-encoded body.'),
      text: templateText('A body of raw text.'),
      parameters: values('Parameters of a cancellation, sent as the target says; of another endpoint, a form.'),
    },
    { title: 'http', required: ['to'] },
  );

function describeHttp(act: HttpAct, endpoints: HttpEndpoints, show: ShowValue): ActDescription {
  const { to, method: by, path, parameters, ...request } = act;
  const after = path === undefined ? '' : ` followed by ${show(path.source)}`;
  const details = [
    ...describeMap('query: ', request.query, show),
    ...describeMap('header field ', request.headers, show),
    ...describeTemplate('JSON body', request.json, show),
    ...describeMap('form: ', request.form, show),
    ...describeTemplate('body', request.text, show),
    ...describeMap('parameter ', parameters, show),
  ];
  const isCancellation = endpoints[to]?.cancels !== undefined && parameters !== undefined;
  return {
    act: isCancellation
      ? `a cancellation is sent, as the target file says${after}`
      : `${by} to the ${to} endpoint${after}`,
    details,
  };
}

export interface Http {
  readonly request: HttpAct;
  readonly endpoint?: Endpoint;
}

/** Verb for any other exchange with the target. */
export const defineHttp = (endpoints: HttpEndpoints) =>
  defineVerb({
    verb: 'http',
    description: 'Any other exchange with the target.',
    value: requestShape(endpoints),
    keys: repeatKeys,
    sends: true,
    outcomes: ['accepted', 'denied', 'at-most-one', 'answered'],
    expectations: ['error', 'status', 'like', 'latencyLike'],
    members: exchangeMembers,
    compile: ({ value: { to = '', method: by, ...request } }): Http => {
      const { json, form, text, parameters } = request;
      const hasBody = [json, form, text, parameters].some((part) => part !== undefined);
      return {
        request: { to, method: by ?? (hasBody ? 'POST' : 'GET'), ...request },
        ...omitUndefined({ endpoint: endpoints[to] }),
      };
    },
    describe: ({ request }, show) => describeHttp(request, endpoints, show),
  });

export const isHttp = (act: AnyAct): act is AnyAct & Http => act.verb === 'http';

export interface Rest {
  readonly since: readonly { readonly action: string; readonly seconds: number }[];
}

/** Verb that waits until this or earlier cases' actions on the subscriber are long enough ago. */
export const defineRest = (actions: readonly Action[]) =>
  defineVerb({
    verb: 'rest',
    description: 'Wait until the last such action on the subscriber, of this case or an earlier one, is so long ago.',
    value: members(Object.fromEntries(actions.map(({ name }) => [name, durationShape('How long ago it has to be.')])), {
      title: 'rest',
      minProperties: 1,
    }),
    keys: {},
    sends: false,
    outcomes: [],
    expectations: [],
    members: ['summary', 'sentAt'],
    compile: ({ value }): Rest => ({
      since: actions.flatMap(({ name: action }) => {
        const seconds = value[action];
        return seconds === undefined ? [] : [{ action, seconds }];
      }),
    }),
    describe: ({ since }) => ({
      act: 'the subscriber is left alone',
      details: since.map(({ action, seconds }) => `until the last ${action} is ${seconds / 60} minutes ago`),
    }),
  });

export const isRest = (act: AnyAct): act is AnyAct & Rest => act.verb === 'rest';
