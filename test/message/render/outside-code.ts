import assert from 'node:assert/strict';

/** What a reader of Markdown does not take as code: blocks between fences are left out, then code between backticks. */
export function outsideCode(text: string): string {
  const kept: string[] = [];
  let fence: string | undefined;
  for (const line of text.split('\n')) {
    const mark = /^(`{3,})[^`]*$/.exec(line)?.[1];
    if (fence === undefined && mark !== undefined) fence = mark;
    else if (fence !== undefined && mark !== undefined && mark.length >= fence.length && line === mark)
      fence = undefined;
    else if (fence === undefined) kept.push(line);
  }
  assert.equal(fence, undefined, `a fence is open at the end of ${text}`);
  return kept.join('\n').replace(/\\[!-/:-@[-`{-~]|`[^`\n]*`/g, (found) => (found.startsWith('\\') ? found : ''));
}
