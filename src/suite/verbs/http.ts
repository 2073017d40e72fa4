import type { HttpAct } from '../../model/suite.ts';
import { members, word } from '../grammar/grammar.ts';
import { httpHeaders, method, template, templateText, values } from '../grammar/shared.ts';
import { type ActDescription, defineVerb, describeMap, describeValue, type Show } from './define.ts';
import { exchangeMembers, repeatKeys } from './references.ts';

const endpoints = [
  'server_initiated',
  'authorization',
  'token',
  'userinfo',
  'jwks',
  'discovery',
  'usertrait',
  'cancel',
] as const;

const requestShape = members(
  {
    to: word(endpoints, { description: 'An endpoint of the target.' }),
    method: method('POST where there is a body, else GET, unless said.'),
    path: templateText("Text after the endpoint's URL."),
    query: values('Query parameters.'),
    headers: httpHeaders,
    json: template({ description: 'A JSON body.' }),
    form: values('A form-encoded body.'),
    text: templateText('A body of raw text.'),
    parameters: values('Parameters of a cancellation, sent as the target says; of another endpoint, a form.'),
  },
  { title: 'http', required: ['to'] },
);

function describeHttp({ to, method: by, path, parameters, ...request }: HttpAct, show: Show): ActDescription {
  const after = path === undefined ? '' : ` followed by ${show(path.source)}`;
  const details = [
    ...describeMap('query: ', request.query, show),
    ...describeMap('header field ', request.headers, show),
    ...describeValue('JSON body', request.json, show),
    ...describeMap('form: ', request.form, show),
    ...describeValue('body', request.text, show),
    ...describeMap('parameter ', parameters, show),
  ];
  const isCancellation = to === 'cancel' && parameters !== undefined;
  return {
    act: isCancellation
      ? `a cancellation is sent, as the target file says${after}`
      : `${by} to the ${to} endpoint${after}`,
    details,
  };
}

/** Any other exchange with the target. */
export const http = defineVerb({
  verb: 'http',
  description: 'Any other exchange with the target.',
  value: requestShape,
  keys: repeatKeys,
  outcomes: ['accepted', 'denied', 'answered'],
  expectations: ['error', 'status', 'like', 'latencyLike'],
  members: exchangeMembers,
  compile: ({ value: { to = '', method: by, ...request } }): { readonly request: HttpAct } => {
    const { json, form, text, parameters } = request;
    const hasBody = [json, form, text, parameters].some((part) => part !== undefined);
    return { request: { to, method: by ?? (hasBody ? 'POST' : 'GET'), ...request } };
  },
  describe: ({ request }, show) => describeHttp(request, show),
});
