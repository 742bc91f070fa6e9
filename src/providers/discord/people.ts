import type { DiscordMessage } from '../../message/render/discord.ts';
import { calling, callOf, mention, type People } from '../kit.ts';

/** Discord: 2,000 UTF-16 units of content. */
const maxContent = 2_000;

/** A message that rings those it asks for and nobody else: whoever is not in the list is shown and not rung. */
export function discordCalling(message: DiscordMessage, people: People | undefined): DiscordMessage {
  const content = calling(message.content, callOf(people, mention.discord), maxContent, '\n');
  if (content === message.content) return message;
  const asked = people?.mentions ?? [];
  const roles = asked.flatMap((id) => (id.startsWith('role:') ? [id.slice('role:'.length)] : []));
  const users = asked.filter((id) => !id.startsWith('role:'));
  return { ...message, content, allowed_mentions: { parse: [], users, roles } };
}
