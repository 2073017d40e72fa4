import { at, text as textAt } from '../../suite/yaml/document.ts';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { defined } from '../../lib/optional.ts';
import type { ModuleDriver } from '../../model/target.ts';
import { described, object, placed, text } from '../../suite/grammar/grammar.ts';
import { duration, templates } from '../grammar/values.ts';
import { readTimeout } from '../reader.ts';
import { compileOptional } from '../templates.ts';
import { defineDriverKind } from './define.ts';

/** Seconds. */
const defaultTimeout = 30;

export const moduleKind = defineDriverKind({
  kind: 'module',
  grammar: object({
    module: placed(
      text({
        title: 'a path',
        description: 'A function does it: the default export of this JavaScript module, from the folder of this file.',
      }),
    ),
    input: templates('Of module: members of `input`, with templates; those without a value are left out.'),
    timeout: described(duration, 'How long the operator (default 2m) or the function of a module (default 30s) has.'),
  }),
  description: 'a function of a module',
  attended: false,
  canDriveClock: false,
  load: ({ module, input, cursor }, reader): ModuleDriver => {
    const path = (module === undefined ? undefined : textAt(module)) ?? '';
    const file = resolve(reader.folder, path);
    if (module !== undefined && !existsSync(file)) {
      reader.complain(module, 'file-unreadable', `${path} cannot be read: there is no such file`);
    }
    return {
      kind: 'module',
      file,
      shown: path,
      timeout: readTimeout(at(cursor, 'timeout'), reader) ?? defaultTimeout,
      env: reader.env,
      ...defined({ input: compileOptional(input, reader) }),
    };
  },
});
