import { ShellCompDirective, script } from '@bomb.sh/tab';
import { forTerminal } from '../../report/shared/sanitize.ts';
import type { completeDefinition, completionDefinition } from '../definitions/suite.ts';
import { exitCodes } from '../exit-codes.ts';
import type { Given } from '../shared/command.ts';
import type { Definition } from '../shared/help.ts';
import type { Invocation } from '../shared/invocation.ts';
import { type Completion, completeWords } from './complete-words.ts';

type Shell = Given<typeof completionDefinition>['shell'];

/** What a shell needs before the script of the library, and after it. */
const around: Readonly<Record<Shell, { readonly before: string; readonly after: string }>> = {
  bash: {
    before: `# source <(carrierspec completion bash), in ~/.bashrc to have it in every shell
declare -F __carrierspec_complete >/dev/null && return 0
# The package bash-completion defines it; without that package words are as bash divides them.
declare -F _get_comp_words_by_ref >/dev/null || _get_comp_words_by_ref() {
  cur="\${COMP_WORDS[COMP_CWORD]}"; prev="\${COMP_WORDS[COMP_CWORD-1]}"
  words=("\${COMP_WORDS[@]}"); cword=$COMP_CWORD
}
`,
    // Names of files where the program has none of its own.
    after: 'complete -o default -F __carrierspec_complete carrierspec\n',
  },
  zsh: { before: '', after: '# source <(carrierspec completion zsh), in ~/.zshrc after compinit\n' },
  fish: { before: '# carrierspec completion fish > ~/.config/fish/completions/carrierspec.fish\n', after: '' },
};

/** `carrierspec completion SHELL`: prints the script that completes commands, flags and names in this shell. */
export function completionCommand(
  { shell }: Given<typeof completionDefinition>,
  { stdout }: Invocation,
): Promise<number> {
  const { before, after } = around[shell];
  stdout.write(before);
  script(shell, 'carrierspec', 'carrierspec');
  stdout.write(after);
  return Promise.resolve(exitCodes.conformant);
}

const directives: Readonly<Record<Completion['otherwise'], number>> = {
  nothing: ShellCompDirective.ShellCompDirectiveNoFileComp,
  files: ShellCompDirective.ShellCompDirectiveDefault,
  folders: ShellCompDirective.ShellCompDirectiveFilterDirs,
};

/** A line for each candidate, its description behind a tab, and the directive, as the scripts of the library read them. */
export function renderCompletion({ candidates, otherwise }: Completion): string {
  const lines = candidates.map(({ value, description }) => `${value}\t${forTerminal(description)}`);
  return [...lines, `:${directives[otherwise]}`, ''].join('\n');
}

/** `carrierspec complete -- WORDS`: what the script asks at every press of the key. */
export const completeCommand =
  (definitions: () => readonly Definition[]) =>
  async ({ words }: Given<typeof completeDefinition>, { stdout }: Invocation): Promise<number> => {
    stdout.write(renderCompletion(await completeWords(words, definitions())));
    return exitCodes.conformant;
  };
