import { errorCodes } from '../../../model/problem.ts';
import { exitCodeOfStop } from '../../exit-codes.ts';
import { fact, nameOf } from '../blocks.ts';
import { defineKind, headOf, rulesFact } from './kind.ts';

export const codeKind = defineKind({
  name: 'code',
  many: 'error codes of carrierspec',
  entries: () =>
    Object.entries(errorCodes).map(([name, { kind, doc }]) => ({
      name,
      description: doc,
      facts: { 'exit code': String(exitCodeOfStop(kind)) },
      blocks: () => [
        ...headOf(name, 'an error code of carrierspec', doc),
        ...fact('exit code', String(exitCodeOfStop(kind))),
      ],
    })),
});

export const limitKind = defineKind({
  name: 'limit',
  many: 'limits that measure finds',
  entries: ({ limits, suites }) =>
    limits().limits.map(({ name, title, rules, unit, found, beyond }) => ({
      name,
      description: title,
      facts: { unit },
      blocks: () => [
        ...headOf(name, 'a limit that measure finds', title),
        ...rulesFact(
          'rule',
          rules.map(({ rule }) => rule),
          suites,
        ),
        ...fact('unit', unit),
        ...fact('says', `${found}; or ${beyond}`),
        ...fact('find it', `carrierspec measure ${name}`, { whole: true }),
      ],
    })),
});

export const profileKind = defineKind({
  name: 'profile',
  many: 'entries of the profile',
  entries: ({ limits, suites }) =>
    limits().profile.map(({ name, description, case: of, record }) => ({
      name,
      description,
      facts: { case: of },
      blocks: () => [
        ...headOf(name, 'an entry of the profile: what the interface leaves open', description),
        ...fact('recorded', [`${record} of the case `, nameOf('case', of)]),
        ...rulesFact(
          'rule',
          suites.cases
            .filter(({ id }) => id === of || id.startsWith(`${of}/`))
            .flatMap((one) => one.rules.map(({ rule }) => rule)),
          suites,
        ),
        ...fact('find it', `carrierspec measure ${name}`, { whole: true }),
      ],
    })),
});
