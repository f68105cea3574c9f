namespace cudnn { int f(); }
