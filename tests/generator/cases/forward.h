struct Later;
typedef struct Later Later;
struct Later *make(Later *from);
struct Later { struct Later *next; int value; };
typedef struct Node { struct Node *next; Later later; } Node, *NodeList;
