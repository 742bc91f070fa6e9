/** What a lock screen, a list of alerts and a voice give before they cut; UTF-16 units. */
export const titleRoom = 100;
